import { accountTurns } from '#core/kernel/environment/turns.js';
import type { Services, WorkerServices } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { crashPoint } from '#core/runtime/fault.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { completeWork, lanes, postponeWork, type WorkQueue } from '#core/runtime/work/queue.js';
import { countContacts } from './contact-peaks.js';
import { rollUpUsage } from './roll-up.js';
import { closeMonth } from './close-month.js';
import { lastClosablePeriod } from '../periods/months.js';
import { firstOpenPeriod } from '../periods/open-period.js';
import { closeQueue } from '../invoices/queues.js';

/** When a month is closed if the time cannot be trusted. */
const untrustedMs = 5 * 60_000;

/**
 * The work queue that closes the months of an account, one after the other, each in its own transaction. A worker that
 * died between two of them left nothing half done: the next one continues with the first open month.
 */
export const closeWork = (services: WorkerServices): WorkQueue => ({
  ...closeQueue,
  concurrency: 2,
  turnsOf: accountTurns,
  excludedPartitions: [],
  async perform(claim) {
    const { database, clock } = services;
    if (!clock.isTrusted()) {
      await postponeWork(database, closeQueue, claim, shift(clock.now(), untrustedMs));
      return;
    }
    // Most usage is added to the totals before the month is locked.
    await rollUpUsage(services, claim.id);
    for (;;) {
      const period = await firstOpenPeriod(database, claim.id);
      if (period === null || period > lastClosablePeriod(clock.now())) break;
      crashPoint('billing.close.before');
      await services.transaction('Month close', (context) => closeMonth(context, claim.id, period));
      crashPoint('billing.close.after');
    }
    await completeWork(database, closeQueue, claim);
  },
});

/** The FROM clause, with WHERE, that selects the accounts without this closed month. */
const unclosed = `FROM billing_account AS account
  LEFT JOIN billing_month AS month
    ON month.account_id = account.account_id AND month.period = ? AND month.closed_at IS NOT NULL
  WHERE month.account_id IS NULL`;

/** The accounts that `queueMonthCloses` would queue now. */
export async function unqueuedCloses(db: Pick<ReadSession, 'rows'>, now: Date): Promise<Buffer[]> {
  const rows = await db.rows<{ account_id: Buffer }>(
    `SELECT account.account_id ${unclosed} AND account.account_id NOT IN (SELECT id FROM ${closeQueue.table})`,
    [Buffer.from(lastClosablePeriod(now))],
  );
  return rows.map(({ account_id: id }) => id);
}

/**
 * Queues every account whose last month can be closed and has not been. It does not add a second row for an account
 * that is already queued.
 * @returns how many were queued
 */
export async function queueMonthCloses(services: WorkerServices): Promise<number> {
  const { database, clock, wake } = services;
  // Contacts of its last days on which nothing ran belong to the month that is closed.
  await countContacts(services);
  // It also creates the rows of accounts that used something for the first time.
  await rollUpUsage(services);
  const now = clock.now();
  const { affectedRows } = await database.run(
    `INSERT IGNORE INTO ${closeQueue.table} (id, partition_id, lane, due_at, attempts, leased)
     SELECT account.account_id, account.account_id, ?, ?, 0, 0 ${unclosed}`,
    [lanes.transactional, now, Buffer.from(lastClosablePeriod(now))],
  );
  if (affectedRows > 0) wake(closeQueue.name);
  return affectedRows;
}

export const closeJobs = (services: Services): RecurringJob[] => [
  {
    name: 'billing.close-months',
    every: '5 minutes',
    isFinal: true,
    async run() {
      await queueMonthCloses(services);
    },
  },
];
