import { referenceColumns, referenceCounts, type ReferenceCount, type ReferenceCountRow } from '../references.js';
import { namePattern } from '#core/kernel/schema/patterns.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Table } from '#core/runtime/database/table.js';
import { idBytes } from '#core/runtime/id.js';
import { lockTemplate } from './find.js';
import { notPublished } from './published-contents.js';
import type { TemplateDriver } from './driver.js';

/** A row of a channel's references: what is referred to, and what refers to it. */
interface ReferenceRow<Kind extends string> {
  environmentId: string;
  kind: Kind;
  target: string;
  inUseByType: string;
  inUseById: string;
}

/** A thing that can be referred to, such as a template by its name. */
export interface ReferenceTarget<Kind extends string> {
  readonly kind: Kind;
  readonly target: string;
}

/**
 * The thing that refers to a target, such as `{ type: 'broadcast', id }`. `type` is a noun that refusals count: “1
 * broadcast”.
 */
export interface Referrer {
  readonly type: string;
  readonly id: string;
}

/** The references on a channel. A thing is not deleted while something open refers to it. */
export interface References<Kind extends string> {
  /**
   * Records that something open refers to a target, until `freeReferences`. Repeating it changes nothing. The caller
   * holds a lock on the row of the target, if there is one that can be used. Deleting the target takes the same lock,
   * so either the reference or the deletion is refused.
   */
  readonly markReferenced: (
    db: Session,
    environmentId: string,
    target: ReferenceTarget<Kind>,
    referrer: Referrer,
  ) => Promise<void>;
  /** Removes all references by something that has ended, or those of one kind. */
  readonly freeReferences: (db: Session, referrerId: string, kind?: Kind) => Promise<void>;
  /** What refers to a target in some environments, by type; empty if nothing does. */
  readonly referencesTo: (
    db: ReadSession,
    environmentIds: readonly string[],
    target: ReferenceTarget<Kind>,
  ) => Promise<ReferenceCount[]>;
}

/** The references that a channel keeps in its table. */
export function referencesIn<Kind extends string>(table: Table<ReferenceRow<Kind>>): References<Kind> {
  return {
    async referencesTo(db, environmentIds, { kind, target }) {
      const rows = await db.rows<ReferenceCountRow>(
        `SELECT ${referenceColumns} FROM ${table.tableName}
         WHERE environment_id IN (?) AND kind = ? AND target = ? GROUP BY in_use_by_type ORDER BY in_use_by_type`,
        [environmentIds.map(idBytes), Buffer.from(kind), Buffer.from(target)],
      );
      return referenceCounts(rows);
    },
    async markReferenced(db, environmentId, { kind, target }, referrer) {
      const row = { environmentId, kind, target, inUseByType: referrer.type, inUseById: referrer.id };
      await db.run(table.upsertRows([row], ['inUseById']));
    },
    async freeReferences(db, referrerId, kind) {
      await db.run(
        `DELETE FROM ${table.tableName} WHERE in_use_by_id = ?${kind === undefined ? '' : ' AND kind = ?'}`,
        kind === undefined ? [idBytes(referrerId)] : [idBytes(referrerId), Buffer.from(kind)],
      );
    },
  };
}

/**
 * Records that something open refers to a template, so that deleting it is refused until `freeReferences`. Locks the
 * template until the transaction ends, as deleting it does.
 * @throws template_not_published
 */
export async function markTemplateReferenced(
  db: Session,
  { name: channel, tables }: Pick<TemplateDriver<unknown, unknown>, 'name' | 'tables'>,
  { markReferenced }: Pick<References<'template'>, 'markReferenced'>,
  { environmentId, template: name }: { environmentId: string; template: string },
  referrer: Referrer,
): Promise<void> {
  const template = await lockTemplate(db, tables, environmentId, name);
  if (!template || template.publishedId === null) throw notPublished(channel, { name });
  await markReferenced(db, environmentId, { kind: 'template', target: name }, referrer);
}

/**
 * Records that something open names a template that is missing or not published: after it is published, deleting it is
 * refused until `freeReferences`.
 */
export async function markTemplateNamed(
  db: Session,
  { markReferenced }: Pick<References<'template'>, 'markReferenced'>,
  { environmentId, template }: { environmentId: string; template: string },
  referrer: Referrer,
): Promise<void> {
  // A text that is not a valid name can never become a template.
  if (new RegExp(namePattern).test(template))
    await markReferenced(db, environmentId, { kind: 'template', target: template }, referrer);
}
