import type { FullContext } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { holdBroadcast, updateBroadcast } from './change-status.js';
import type { BroadcastFields, BroadcastTables } from './tables.js';

/** More bounces than one in so many messages that were taken hold a broadcast: 5 %. */
const oneIn = 20;
/** Messages that must have been taken before the share says anything; all of a smaller broadcast. */
const fewest = 100;

/**
 * Counts a message of a broadcast that was sent and came back. When more than 5 % of it have bounced, it is held, once: whoever resumes it
 * knows.
 * @returns the broadcast, when this bounce was the one that exceeded the share
 */
export async function countBounce<B extends BroadcastFields>(
  context: Pick<FullContext, 'db' | 'clock' | 'wake'>,
  tables: BroadcastTables<B>,
  broadcastId: string,
): Promise<B | null> {
  const { db, clock } = context;
  const id = idBytes(broadcastId);
  await db.run(`UPDATE ${tables.counts.tableName} SET sent = sent - 1, bounced = bounced + 1 WHERE broadcast_id = ?`, [
    id,
  ]);
  const [counts] = await db.rows<{ sent: number; bounced: number; queued: number }>(
    `SELECT sent, bounced, queued FROM ${tables.counts.tableName} WHERE broadcast_id = ?`,
    [id],
  );
  if (!counts) return null;
  const taken = counts.sent + counts.bounced;
  if (counts.bounced * oneIn <= taken || (taken < fewest && counts.queued > 0)) return null;
  const [found] = await db.rows<object>(
    `SELECT ${tables.broadcasts.columnList()} FROM ${tables.broadcasts.tableName} WHERE id = ? FOR UPDATE`,
    [id],
  );
  const row = found && tables.broadcasts.decode(found);
  if (!row || row.bouncesReportedAt !== null) return null;
  const reported = await updateBroadcast(context, tables, row, { bouncesReportedAt: clock.now() });
  return reported.status === 'sending' ? holdBroadcast(context, { tables }, reported, 'bounces') : reported;
}
