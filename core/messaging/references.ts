import { counted } from '#config/counted.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Table } from '#core/runtime/database/table.js';
import { idBytes, idText } from '#core/runtime/id.js';

/** How many things of one type refer to something, such as a topic or a sending domain. */
export interface ReferenceCount {
  /** The type, as refusals name it: `broadcast`, `automation`. */
  type: string;
  count: number;
  /** Ids of some of them, the newest first; none if no operation reads the type by id, as for a default sender. */
  ids?: readonly string[];
}

/** The maximum number that a refusal names of each type. */
const mostNamed = 3;

/** The columns of a query of a table of references, grouped by `in_use_by_type`, that `referenceCounts` reads. */
export const referenceColumns = `in_use_by_type AS type, COUNT(*) AS count,
  SUBSTRING_INDEX(GROUP_CONCAT(HEX(in_use_by_id) ORDER BY in_use_by_id DESC), ',', ${mostNamed}) AS ids`;

export interface ReferenceCountRow {
  readonly type: Buffer;
  readonly count: number;
  readonly ids: string;
}

/** The types that an operation reads by id. */
const readableTypes = ['broadcast', 'automation'];

/** The references in the rows of a query of `referenceColumns`. */
export const referenceCounts = (rows: readonly ReferenceCountRow[]): ReferenceCount[] =>
  rows.map(({ type: stored, count, ids }) => {
    const type = stored.toString();
    const found = ids.split(',').map((hex) => idText(Buffer.from(hex, 'hex')));
    return { type, count, ids: readableTypes.includes(type) ? found : [] };
  });

/** References as refusals name them: “2 automations (<id>, <id>) and 1 broadcast (<id>)”. */
export function describeReferences(counts: readonly ReferenceCount[]): string {
  const parts = counts.map(({ type, count, ids = [] }) => {
    const more = count > ids.length ? ', …' : '';
    return `${counted(count, type)}${ids.length > 0 ? ` (${ids.join(', ')}${more})` : ''}`;
  });
  const last = parts.at(-1) ?? 'nothing';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

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
