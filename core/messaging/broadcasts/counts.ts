import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import type { FinalStatus, MessageFields } from '../tables.js';
import type { MessageDriver } from '../driver.js';
import type { AudienceCounts } from './audience.js';
import type { BroadcastFields, BroadcastStatus, BroadcastTables } from '../broadcast-tables.js';

/** The outcomes of a broadcast's messages. The other fields always add up to `recipients`. */
export interface ShownCounts {
  recipients: number;
  queued: number;
  held: number;
  sending: number;
  sent: number;
  failed: number;
  suppressed: number;
  cancelled: number;
  bounced: number;
}

interface StoredCounts {
  broadcast_id: Buffer;
  recipients: number;
  queued: number;
  sent: number;
  failed: number;
  suppressed: number;
  cancelled: number;
  bounced: number;
  never_asked: number | null;
  opted_out: number | null;
  already_suppressed: number | null;
  /** Messages that a worker has leased. */
  leased: number | string;
}

/**
 * Reads the counts of broadcasts: stored ones, and how many messages workers have leased now. @returns by broadcast id
 */
export async function readCounts<M extends MessageFields>(
  db: Pick<ReadSession, 'rows'>,
  { counts }: Pick<BroadcastTables, 'counts'>,
  { queue }: Pick<MessageDriver<M>, 'queue'>,
  broadcastIds: readonly string[],
): Promise<Map<string, StoredCounts>> {
  if (broadcastIds.length === 0) return new Map();
  const rows = await db.rows<StoredCounts>(
    `SELECT c.*, (SELECT COUNT(*) FROM ${queue.table} q FORCE INDEX (claim)
       WHERE q.leased = 1 AND q.lane = ${lanes.bulk} AND q.partition_id = c.broadcast_id) AS leased
     FROM ${counts.tableName} c WHERE c.broadcast_id IN (?)`,
    [broadcastIds.map(idBytes)],
  );
  return new Map(rows.map((row) => [idText(row.broadcast_id), row]));
}

/**
 * How many messages of a broadcast are still to be made, as far as that is known: the audience may change until then.
 * @param audience the contacts it would reach now
 */
export async function stillToMake(
  db: Pick<ReadSession, 'rows'>,
  { counts }: Pick<BroadcastTables, 'counts'>,
  broadcastId: string,
  audience: Pick<AudienceCounts, 'eligible'>,
): Promise<number> {
  const [row] = await db.rows<{ recipients: number }>(
    `SELECT recipients FROM ${counts.tableName} WHERE broadcast_id = ?`,
    [idBytes(broadcastId)],
  );
  return Math.max(audience.eligible - (row?.recipients ?? 0), 0);
}

/**
 * The counts that people see. Messages that wait have the status of their broadcast: of a held one they are held, of a
 * closed one cancelled, although their rows are written later.
 */
export function shownCounts(stored: StoredCounts, status: BroadcastStatus): ShownCounts {
  const { recipients, sent, failed, suppressed, bounced } = stored;
  const sending = Math.max(0, Math.min(Number(stored.leased), stored.queued));
  const waiting = stored.queued - sending;
  return {
    recipients,
    queued: status === 'held' || status === 'closed' ? 0 : waiting,
    held: status === 'held' ? waiting : 0,
    sending,
    sent,
    failed,
    suppressed,
    cancelled: stored.cancelled + (status === 'closed' ? waiting : 0),
    bounced,
  };
}

/** The audience that a broadcast found when its messages were created. */
export interface MadeAudience {
  eligible: number;
  neverAsked: number;
  optedOut: number;
  suppressed: number;
  exact: boolean;
}

/**
 * The audience that a broadcast found when its messages were created; null if an earlier version began to create them.
 */
export function madeAudience(
  { recipients, never_asked: neverAsked, opted_out: optedOut, already_suppressed: suppressed }: StoredCounts,
  { fannedOutAt }: Pick<BroadcastFields, 'fannedOutAt'>,
): MadeAudience | null {
  if (neverAsked === null || optedOut === null || suppressed === null) return null;
  return { eligible: recipients, neverAsked, optedOut, suppressed, exact: fannedOutAt !== null };
}

/** Messages of a broadcast that have ended alike. */
export interface EndedCount {
  readonly broadcastId: string;
  readonly status: FinalStatus;
  readonly count: number;
}

/**
 * Moves messages from `queued` to their final status, and completes broadcasts whose last message ended. Run it last in
 * the transaction that ends the messages, because it locks the counts until COMMIT.
 */
export function countStatements(
  { broadcasts, counts }: Pick<BroadcastTables, 'broadcasts' | 'counts'>,
  ended: readonly EndedCount[],
  at: Date,
): Statement[] {
  const ids = [...new Set(ended.map(({ broadcastId }) => broadcastId))].sort();
  return ids.flatMap((id) => {
    const own = ended.filter(({ broadcastId }) => broadcastId === id);
    const total = own.reduce((sum, { count }) => sum + count, 0);
    const changes = own.map(({ status }) => `${status} = ${status} + ?`).join(', ');
    return [
      {
        sql: `UPDATE ${counts.tableName} SET queued = queued - ?, ${changes} WHERE broadcast_id = ?`,
        parameters: [total, ...own.map(({ count }) => count), idBytes(id)],
      },
      completeStatement({ broadcasts, counts }, id, at),
    ];
  });
}

/** Completes a broadcast when its fan-out is finished and none of its messages waits. */
export const completeStatement = (
  { broadcasts, counts }: Pick<BroadcastTables, 'broadcasts' | 'counts'>,
  id: string,
  at: Date,
): Statement => ({
  sql: `UPDATE ${broadcasts.tableName} b JOIN ${counts.tableName} c ON c.broadcast_id = b.id
    SET b.status = IF(b.status = 'closed', b.status, 'sent'), b.hold_reason = NULL, b.completed_at = ?, b.updated_at = ?
    WHERE b.id = ? AND b.completed_at IS NULL AND c.queued = 0
      AND (b.fanned_out_at IS NOT NULL AND b.status IN ('sending', 'held') OR b.status = 'closed')`,
  parameters: [at, at, idBytes(id)],
});
