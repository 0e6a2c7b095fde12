import {
  referenceColumns,
  referenceCounts,
  type ReferenceCount,
  type ReferenceCountRow,
} from '#core/messaging/references.js';
import { namePattern } from '#core/kernel/schema/patterns.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Table } from '#core/runtime/database/table.js';
import { idBytes } from '#core/runtime/id.js';
import { lockTemplate } from './find.js';
import { notPublished } from './published-contents.js';
import type { TemplateDriver } from './driver.js';

/** A row of a channel's usages: the thing in use, and its user. */
export interface UsageRow<Kind extends string> {
  environmentId: string;
  kind: Kind;
  target: string;
  inUseByType: string;
  inUseById: string;
}

/** A thing that can be in use, such as a template by its name. */
export interface UsageTarget<Kind extends string> {
  readonly kind: Kind;
  readonly target: string;
}

/** The user of it, such as `{ type: 'broadcast', id }`. `type` is a noun that refusals count: “1 broadcast”. */
export interface InUseBy {
  readonly type: string;
  readonly id: string;
}

/** The things in use on a channel, so that they are not deleted while they are used. */
export interface Usages<Kind extends string> {
  /**
   * Records that something open uses a target, until `release`. Marking it again changes nothing. The caller holds a
   * lock on the row of the target, if it can be used. Deleting it takes the same lock, so either the usage or the
   * deletion is refused.
   */
  readonly markInUse: (
    db: Session,
    environmentId: string,
    target: UsageTarget<Kind>,
    inUseBy: InUseBy,
  ) => Promise<void>;
  /** Removes all usages by something that has ended, or those of one kind. */
  readonly release: (db: Session, inUseById: string, kind?: Kind) => Promise<void>;
  /** What uses a target in some environments, by type; empty if nothing does. */
  readonly usagesOf: (
    db: ReadSession,
    environmentIds: readonly string[],
    target: UsageTarget<Kind>,
  ) => Promise<ReferenceCount[]>;
}

/** The usages that a channel keeps in its table. */
export function usagesIn<Kind extends string>(table: Table<UsageRow<Kind>>): Usages<Kind> {
  return {
    async usagesOf(db, environmentIds, { kind, target }) {
      const rows = await db.rows<ReferenceCountRow>(
        `SELECT ${referenceColumns} FROM ${table.tableName}
         WHERE environment_id IN (?) AND kind = ? AND target = ? GROUP BY in_use_by_type ORDER BY in_use_by_type`,
        [environmentIds.map(idBytes), Buffer.from(kind), Buffer.from(target)],
      );
      return referenceCounts(rows);
    },
    async markInUse(db, environmentId, { kind, target }, inUseBy) {
      const row = { environmentId, kind, target, inUseByType: inUseBy.type, inUseById: inUseBy.id };
      await db.run(table.upsertRows([row], ['inUseById']));
    },
    async release(db, inUseById, kind) {
      await db.run(
        `DELETE FROM ${table.tableName} WHERE in_use_by_id = ?${kind === undefined ? '' : ' AND kind = ?'}`,
        kind === undefined ? [idBytes(inUseById)] : [idBytes(inUseById), Buffer.from(kind)],
      );
    },
  };
}

/**
 * Records that something open uses a template, so that deleting it is refused until `release`. Locks the template until
 * the transaction ends, as deleting it does.
 * @throws template_not_published
 */
export async function markTemplateInUse(
  db: Session,
  { name: channel, tables }: Pick<TemplateDriver<unknown, unknown>, 'name' | 'tables'>,
  { markInUse }: Pick<Usages<'template'>, 'markInUse'>,
  { environmentId, template: name }: { environmentId: string; template: string },
  inUseBy: InUseBy,
): Promise<void> {
  const template = await lockTemplate(db, tables, environmentId, name);
  if (!template || template.publishedId === null) throw notPublished(channel, { name });
  await markInUse(db, environmentId, { kind: 'template', target: name }, inUseBy);
}

/**
 * Records that something open names a template that is missing or not published: after it is published, deleting it is
 * refused until `release`.
 */
export async function markTemplateNamed(
  db: Session,
  { markInUse }: Pick<Usages<'template'>, 'markInUse'>,
  { environmentId, template }: { environmentId: string; template: string },
  inUseBy: InUseBy,
): Promise<void> {
  // A text that is not a valid name can never become a template.
  if (new RegExp(namePattern).test(template))
    await markInUse(db, environmentId, { kind: 'template', target: template }, inUseBy);
}
