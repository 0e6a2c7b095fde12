import type { UsageCount } from '#core/kernel/usage.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { usages } from '../tables/usage.js';

/** What can be in use: a template by its name, or a sending domain. */
export interface UsageTarget {
  readonly kind: 'template' | 'domain';
  readonly target: string;
}

/** What uses it, such as `{ type: 'broadcast', id }`. `type` is a noun that refusals count: “1 broadcast”. */
export interface InUseBy {
  readonly type: string;
  readonly id: string;
}

/**
 * Records that something open uses a template or a domain, until `release`. Marking it again changes nothing. The caller holds a lock on the
 * row of the template or domain, as deleting it does, so that either the usage or the deletion is refused.
 */
export async function markInUse(
  db: Session,
  environmentId: string,
  { kind, target }: UsageTarget,
  inUseBy: InUseBy,
): Promise<void> {
  const row = { environmentId, kind, target, inUseByType: inUseBy.type, inUseById: inUseBy.id };
  const { sql, parameters } = usages.upsertRows([row], ['inUseById']);
  await db.run(sql, parameters);
}

/** Removes all usages of what has ended, or those of one kind. */
export async function release(db: Session, inUseById: string, kind?: UsageTarget['kind']): Promise<void> {
  await db.remove(usages, kind === undefined ? { inUseById } : { inUseById, kind });
}

/** What uses a template or domain in some environments, by type; empty when nothing does. */
export async function usagesOf(
  db: ReadSession,
  environmentIds: readonly string[],
  { kind, target }: UsageTarget,
): Promise<UsageCount[]> {
  const rows = await db.rows<{ type: Buffer; count: number }>(
    `SELECT in_use_by_type AS type, COUNT(*) AS count FROM email_usage
     WHERE environment_id IN (?) AND kind = ? AND target = ? GROUP BY in_use_by_type ORDER BY in_use_by_type`,
    [environmentIds.map(idBytes), Buffer.from(kind), Buffer.from(target)],
  );
  return rows.map(({ type, count }) => ({ type: type.toString(), count }));
}

/** Whether anything in the environment uses a template or domain. */
export const isInUse = async (db: ReadSession, environmentId: string, target: UsageTarget): Promise<boolean> =>
  (await usagesOf(db, [environmentId], target)).length > 0;
