import type { FullContext } from '#core/kernel/context.js';
import type { Attempted } from '#core/messaging/driver.js';
import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import { idList } from '#core/runtime/database/literal.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Database, Session } from '#core/runtime/database/session.js';
import { orUpdate } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { laneNames, lanes } from '#core/runtime/work/queue.js';
import type { MessageRow } from '../tables/message.js';
import { retries, type RetryRow } from '../tables/retry.js';
import { deliveryQueueRef } from './driver.js';

/** The most messages that one statement makes due. */
const atOnce = 1_000;

/** The messages that wait for another attempt, joined with their rows of the delivery queue. */
const waiting = `${retries.tableName} r JOIN ${deliveryQueueRef.table} w ON w.id = r.message_id`;

/**
 * Records which messages wait for another attempt since their last one, in the transaction that records the attempt.
 * @param isOfRelay whether the failure of a message may end for all messages at once
 */
export async function recordRetries(
  { db, clock }: Pick<FullContext, 'db' | 'clock'>,
  attempted: readonly Attempted<MessageRow>[],
  isOfRelay: (each: Attempted<MessageRow>) => boolean,
): Promise<void> {
  const now = clock.now();
  const rows = attempted.flatMap((each): RetryRow[] => {
    if (each.retryAt === null) return [];
    const { message, environment } = each;
    const ofRelay = isOfRelay(each);
    return [{ messageId: message.id, environmentId: environment.id, since: now, triedAt: now, ofRelay }];
  });
  if (rows.length > 0)
    await db.defer(orUpdate(retries.insertRows(rows), 'tried_at = VALUES(tried_at), of_relay = VALUES(of_relay)'));
  // A first attempt that ends its message has no row.
  const ended = attempted.filter(({ retryAt, attempt }) => retryAt === null && attempt > 1);
  if (ended.length > 0)
    await db.defer({
      sql: `DELETE FROM ${retries.tableName} WHERE message_id IN (?)`,
      parameters: [idList(ended.map(({ message }) => message.id))],
    });
}

/**
 * When the first attempt of the oldest message failed that waits because of the mail server, of one environment or of
 * all; null if none waits. Messages that wait because of their mailbox do not count.
 */
export async function oldestRetry(db: Pick<ReadSession, 'rows'>, environmentId?: string): Promise<Date | null> {
  const [own, parameters] =
    environmentId === undefined ? ['', []] : ['AND r.environment_id = ?', [idBytes(environmentId)]];
  const [row] = await db.rows<{ since: Date }>(
    `SELECT r.since FROM ${waiting} WHERE r.of_relay = 1 ${own} ORDER BY r.since LIMIT 1`,
    parameters,
  );
  return row?.since ?? null;
}

/**
 * Makes the messages due whose last attempt failed after a time, a thousand at a time, system mail first.
 * @param range `waitingBefore`: without those whose first attempt failed later
 * @returns how many
 */
export async function releaseRetries(
  database: Database,
  { triedAfter, waitingBefore }: { triedAfter: Date; waitingBefore: Date },
  now: Date,
): Promise<number> {
  let released = 0;
  for (const lane of laneNames.map((name) => lanes[name])) {
    let after: Buffer | undefined = Buffer.alloc(16);
    while (after !== undefined) {
      const rows: readonly { id: Buffer }[] = await database.rows<{ id: Buffer }>(
        `SELECT w.id FROM ${waiting} WHERE r.message_id > ? AND r.tried_at > ? AND r.since <= ? AND w.lane = ?
           AND w.leased = 0 AND w.due_at > ? ORDER BY r.message_id LIMIT ${atOnce}`,
        [after, triedAfter, waitingBefore, lane, now],
      );
      released += await makeDue(
        database,
        rows.map(({ id }) => id),
        now,
      );
      after = rows.length === atOnce ? rows.at(-1)?.id : undefined;
    }
  }
  return released;
}

/**
 * Makes one message due that waits because of the mail server and was last tried before a time: system mail first, then
 * what was tried least often.
 * @returns whether there was one
 */
export async function probeWithRetry(
  database: Database,
  triedAfter: Date,
  triedBefore: Date,
  now: Date,
): Promise<boolean> {
  const rows = await database.rows<{ id: Buffer }>(
    `SELECT w.id FROM ${waiting} WHERE r.of_relay = 1 AND r.tried_at > ? AND r.tried_at <= ? AND w.leased = 0
       AND w.due_at > ? ORDER BY w.lane, w.attempts, w.due_at LIMIT 1`,
    [triedAfter, triedBefore, now],
  );
  await makeDue(
    database,
    rows.map(({ id }) => id),
    now,
  );
  return rows.length > 0;
}

/** Makes messages of an earlier attempt due, if no worker has them. @returns how many */
async function makeDue(db: Pick<Database, 'run'>, ids: readonly Buffer[], now: Date): Promise<number> {
  if (ids.length === 0) return 0;
  const { affectedRows } = await db.run(
    `UPDATE ${deliveryQueueRef.table} FORCE INDEX (PRIMARY) SET due_at = ? WHERE id IN (?) AND leased = 0 AND due_at > ?`,
    [now, idList(ids.map((id) => idText(id))), now],
  );
  return affectedRows;
}

/**
 * Makes a message due that waits for another attempt.
 * @returns `due`: it is due now; `was due`: it was, or a worker has it; `not waiting`: it waits for no other attempt
 */
export async function tryNow(db: Session, messageId: string, now: Date): Promise<'due' | 'was due' | 'not waiting'> {
  const { affectedRows } = await db.run(
    `UPDATE ${deliveryQueueRef.table} SET due_at = ? WHERE id = ? AND leased = 0 AND attempts > 0 AND due_at > ?`,
    [now, idBytes(messageId), now],
  );
  if (affectedRows === 1) return 'due';
  const rows = await db.rows<object>(`SELECT id FROM ${deliveryQueueRef.table} WHERE id = ? AND attempts > 0`, [
    idBytes(messageId),
  ]);
  return rows.length === 1 ? 'was due' : 'not waiting';
}

/** Deletes the rows of messages that ended without another attempt. */
export const forgetEndedRetries = (database: Database): Promise<void> =>
  deleteInBatches(
    database,
    `DELETE FROM ${retries.tableName} WHERE NOT EXISTS
       (SELECT 1 FROM ${deliveryQueueRef.table} w WHERE w.id = ${retries.tableName}.message_id)`,
    [],
  );
