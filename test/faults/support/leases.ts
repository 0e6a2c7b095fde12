import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { idText } from '#core/runtime/id.js';
import { eventually } from '#test/support/eventually.js';

const queues = ['svc_event_batch_queue', 'developers_webhook_queue', 'email_queue'] as const;

async function number(db: ConnectedDatabase, sql: string): Promise<number> {
  const [row] = await db.rows<{ found: number }>(`SELECT (${sql}) AS found`);
  return row?.found ?? NaN;
}

/**
 * Waits until the database has seen every node's connections end: by then, statements from a dead node have committed
 * or never will.
 */
export const allDisconnected = (db: ConnectedDatabase): Promise<void> =>
  eventually(
    async () =>
      (await number(
        db,
        'SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
      )) === 0,
    'the end of every connection',
  );

/**
 * One statement, so that it sees one moment: otherwise, work that is moving from one table to the next is in neither.
 */
const waiting = (where: string): string =>
  [
    'SELECT (SELECT COUNT(*) FROM svc_event WHERE pending = 1)',
    ...queues.map((queue) => `(SELECT COUNT(*) FROM ${queue} WHERE ${where})`),
  ].join(' + ');

/** Waits until nothing is due that a live node could take: everything left is held by a node. */
export const onlyHeldLeft = (db: ConnectedDatabase): Promise<void> =>
  eventually(
    async () => (await number(db, waiting('leased = 0 AND due_at <= UTC_TIMESTAMP(3)'))) === 0,
    'no work but what is held',
    30_000,
  );

/** Waits until no event is pending and no work is queued. */
export const settled = (db: ConnectedDatabase): Promise<void> =>
  eventually(async () => (await number(db, waiting('TRUE'))) === 0, 'nothing pending or queued', 60_000);

/** The deliveries and messages that a node holds. */
export async function heldIds(db: ConnectedDatabase): Promise<Set<string>> {
  const rows = await db.rows<{ id: Buffer }>(
    queues.map((queue) => `SELECT id FROM ${queue} WHERE leased = 1`).join(' UNION ALL '),
  );
  return new Set(rows.map(({ id }) => idText(id)));
}

/**
 * Ends the leases of held rows, as 30 s without a heartbeat would: leases run by the database's clock, which no test
 * can move, and eleven crashes would wait five minutes. Row by row and by the primary key, so that no lock is held
 * while another is waited for: through another index, the UPDATE can deadlock with a live node's claims
 * (core/runtime/work/claim.ts).
 * @param which a condition on the queue's rows
 * @returns the ids of the rows whose lease was ended
 */
export async function endLeases(
  db: ConnectedDatabase,
  among: readonly string[] = queues,
  which = 'TRUE',
  values: readonly SqlValue[] = [],
): Promise<Set<string>> {
  const ended = new Set<string>();
  for (const queue of among) {
    // Only the listed rows: a live node may lease more at any moment.
    const rows = await db.rows<{ id: Buffer }>(`SELECT id FROM ${queue} WHERE leased = 1 AND ${which}`, [...values]);
    for (const { id } of rows) {
      const { affectedRows } = await db.run(
        `UPDATE ${queue} FORCE INDEX (PRIMARY) SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE id = ? AND leased = 1 AND ${which}`,
        [id, ...values],
      );
      if (affectedRows > 0) ended.add(idText(id));
    }
  }
  return ended;
}
