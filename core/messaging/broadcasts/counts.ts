import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { lanes } from '#core/runtime/work/queue.js';
import type { MessageFields } from '../tables.js';
import { inChunk } from '../chunks.js';
import type { MessageDriver } from '../driver.js';
import type { AudienceCounts } from './audience.js';
import type { BroadcastFields, BroadcastStatus, BroadcastTables } from '../broadcast-tables.js';

/** The outcomes of a broadcast's messages. The other fields without `refused` always add up to `recipients`. */
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
  /** Of `failed`: bounced at submission. */
  refused: number;
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
  refused: number;
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
  driver: Pick<MessageDriver<M>, 'queue' | 'chunks' | 'tables'>,
  broadcastIds: readonly string[],
): Promise<Map<string, StoredCounts>> {
  if (broadcastIds.length === 0) return new Map();
  const { queue, chunks } = driver;
  const inChunks =
    chunks === undefined
      ? ''
      : ` + (SELECT COUNT(*) FROM ${chunks.table} k FORCE INDEX (claim)
           JOIN ${driver.tables.messages.tableName} m ON ${inChunk(driver, 'k.id', 'k.last_id', 'k.partition_id')}
         WHERE k.leased = 1 AND k.lane = ${lanes.bulk} AND k.partition_id = c.broadcast_id)`;
  const rows = await db.rows<StoredCounts>(
    `SELECT c.*, (SELECT COUNT(*) FROM ${queue.table} q FORCE INDEX (claim)
       WHERE q.leased = 1 AND q.lane = ${lanes.bulk} AND q.partition_id = c.broadcast_id)${inChunks} AS leased
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
  const { recipients, sent, failed, suppressed, bounced, refused } = stored;
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
    refused,
  };
}

/** The audience that a broadcast found when its messages were created. */
interface MadeAudience {
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
