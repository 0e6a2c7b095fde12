import type { FullContext } from '#core/kernel/context.js';
import type { RawSql } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { holdBroadcast, updateBroadcast } from './change-status.js';
import type { BroadcastFields, BroadcastTables } from './tables.js';

/** More bounces than one in so many messages that were handed over hold a broadcast: 5 %. */
const oneIn = 20;
/** Messages that must have been handed over before the share says anything; all of a smaller broadcast. */
const fewest = 100;

/** Messages of a broadcast whose addresses do not work. */
export type BouncedMessages =
  /** One that was sent and came back: it moves from `sent` to `bounced`. */
  | 'returned'
  /** So many that were refused at the hand-over: they are counted in `failed` already. */
  | { readonly refused: number };

const increments = (bounced: BouncedMessages): RawSql => ({
  toSqlString: () =>
    bounced === 'returned' ? 'sent = sent - 1, bounced = bounced + 1' : `refused = refused + ${bounced.refused}`,
});

/**
 * Counts messages of a broadcast that bounced, whether they came back or were refused at the hand-over. When more than 5 % of it have, it is
 * held, once: whoever resumes it knows.
 * @returns the broadcast, when these were the ones that exceeded the share, and how many have bounced in all
 */
export async function countBounces<B extends BroadcastFields>(
  context: Pick<FullContext, 'db' | 'clock' | 'wake'>,
  tables: BroadcastTables<B>,
  broadcastId: string,
  bounced: BouncedMessages,
): Promise<{ readonly broadcast: B; readonly bounces: number } | null> {
  const { db, clock } = context;
  const id = idBytes(broadcastId);
  await db.run(`UPDATE ${tables.counts.tableName} SET ? WHERE broadcast_id = ?`, [increments(bounced), id]);
  const [counts] = await db.rows<{ sent: number; bounced: number; refused: number; queued: number }>(
    `SELECT sent, bounced, refused, queued FROM ${tables.counts.tableName} WHERE broadcast_id = ?`,
    [id],
  );
  if (!counts) return null;
  const bounces = counts.bounced + counts.refused;
  const handedOver = counts.sent + bounces;
  if (bounces * oneIn <= handedOver || (handedOver < fewest && counts.queued > 0)) return null;
  const [found] = await db.rows<object>(
    `SELECT ${tables.broadcasts.columnList()} FROM ${tables.broadcasts.tableName} WHERE id = ? FOR UPDATE`,
    [id],
  );
  const row = found && tables.broadcasts.decode(found);
  if (!row || row.bouncesReportedAt !== null) return null;
  const reported = await updateBroadcast(context, tables, row, { bouncesReportedAt: clock.now() });
  const broadcast =
    reported.status === 'sending' ? await holdBroadcast(context, { tables }, reported, 'bounces') : reported;
  return { broadcast, bounces };
}
