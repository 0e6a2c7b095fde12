import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { holdBroadcast, updateBroadcast, type NamedKind } from './change-status.js';
import type { BroadcastFields, BroadcastTables } from '../broadcast-tables.js';

/** A broadcast is held if more than one in this many submitted messages bounces: 5%. */
const oneIn = 20;
/**
 * The number of messages that must be submitted before the share is meaningful; in a smaller broadcast, all of them.
 */
const fewest = 100;

/** Messages of a broadcast with addresses that do not work. */
type BouncedMessages =
  /** One that was sent and came back: it moves from `sent` to `bounced`. */
  | 'returned'
  /** The number that were refused at submission: they are already counted in `failed`. */
  | { readonly refused: number };

/** Counts messages of a broadcast that bounced, whether they came back or were refused at submission. */
export const countBounces = (
  { counts }: Pick<BroadcastTables, 'counts'>,
  broadcastId: string,
  bounced: BouncedMessages,
): Statement => ({
  sql: `UPDATE ${counts.tableName} SET ${
    bounced === 'returned' ? 'sent = sent - 1, bounced = bounced + 1' : 'refused = refused + ?'
  } WHERE broadcast_id = ?`,
  parameters: [...(bounced === 'returned' ? [] : [bounced.refused]), idBytes(broadcastId)],
});

/** A broadcast of which more than 5 % have bounced, and how many in all. */
export interface ExceededShare<B> {
  readonly broadcast: B;
  readonly bounces: number;
}

interface Counted {
  readonly broadcast_id: Buffer;
  readonly sent: number;
  readonly bounced: number;
  readonly refused: number;
  readonly queued: number;
}

type Holding = Pick<FullContext, 'db' | 'clock' | 'wake' | 'auditOwn'>;

interface BounceShares<B> {
  readonly exceeded: readonly ExceededShare<B>[];
  /**
   * The ids of broadcasts for which only another bounce can change the answer: 100 messages were submitted, or they
   * were reported before.
   */
  readonly settledIds: readonly string[];
}

/**
 * Finds the broadcasts of which more than 5 % have bounced, and holds those that are being sent; each only once,
 * because the person who resumes it knows. Called whenever their messages have ended or bounced, because a bounce may
 * be counted before fewer than 100 others leave.
 * @param broadcasts the environment of each broadcast whose counts this transaction has changed, and so locked
 */
export async function holdBounced<B extends BroadcastFields>(
  context: Holding,
  kind: NamedKind<B>,
  broadcasts: ReadonlyMap<string, Environment>,
): Promise<BounceShares<B>> {
  const { tables } = kind;
  const broadcastIds = [...broadcasts.keys()];
  if (broadcastIds.length === 0) return { exceeded: [], settledIds: [] };
  const exceeded: ExceededShare<B>[] = [];
  const open = new Set<string>();
  const rows = await context.db.rows<Counted>(
    `SELECT c.broadcast_id, c.sent, c.bounced, c.refused, c.queued
     FROM ${tables.counts.tableName} c JOIN ${tables.broadcasts.tableName} b ON b.id = c.broadcast_id
     WHERE c.broadcast_id IN (?) AND b.bounces_reported_at IS NULL`,
    [broadcastIds.map(idBytes)],
  );
  // In the order in which counts are locked everywhere (countStatements).
  for (const counts of rows.sort((a, b) => a.broadcast_id.compare(b.broadcast_id))) {
    const bounces = counts.bounced + counts.refused;
    const delivered = counts.sent + bounces;
    const id = idText(counts.broadcast_id);
    if (delivered < fewest) open.add(id);
    if (bounces * oneIn <= delivered || (delivered < fewest && counts.queued > 0)) continue;
    const environment = broadcasts.get(id);
    const broadcast = environment && (await holdOnce(context, kind, id, environment));
    if (broadcast) exceeded.push({ broadcast, bounces });
  }
  return { exceeded, settledIds: broadcastIds.filter((id) => !open.has(id)) };
}

/** @returns the broadcast; null if its share was reported before */
async function holdOnce<B extends BroadcastFields>(
  context: Holding,
  kind: NamedKind<B>,
  broadcastId: string,
  environment: Environment,
): Promise<B | null> {
  const { db, clock } = context;
  const { tables } = kind;
  const [found] = await db.rows<object>(
    `SELECT ${tables.broadcasts.columnList()} FROM ${tables.broadcasts.tableName} WHERE id = ? FOR UPDATE`,
    [idBytes(broadcastId)],
  );
  const row = found && tables.broadcasts.decode(found);
  if (!row || row.bouncesReportedAt !== null) return null;
  const reported = await updateBroadcast(context, tables, row, { bouncesReportedAt: clock.now() });
  if (reported.status !== 'sending') return reported;
  return holdBroadcast(context, kind, reported, { reason: 'bounces', environment });
}
