import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { idText } from '#core/runtime/id.js';
import { metering } from '#plugins/billing/ports.js';
import { numbers } from '../tables/number.js';
import { monthOf, rentOf } from './rent.js';
import { lockNumber } from './settle.js';

/** Numbers in one round. */
const batchSize = 200;

/** Meters the rent of the numbers for each month that begins while an environment has them. */
export const numberJobs = (services: WorkerServices): RecurringJob[] => [
  {
    name: 'sms.number-rent',
    every: '1 hour',
    async run() {
      while ((await meterRent(services)) === batchSize);
    },
  },
];

/** Each number in a transaction of its own, in which its month is compared again. @returns how many numbers were due */
async function meterRent({ database, clock, transaction }: WorkerServices): Promise<number> {
  const month = monthOf(clock.now());
  const due = await database.rows<{ id: Buffer }>(
    `SELECT id FROM sms_number WHERE status = 'assigned' AND rent_metered_until < ? LIMIT ${batchSize}`,
    [Buffer.from(month)],
  );
  for (const { id } of due)
    await transaction('Rent of numbers', async ({ db, use, actIn }) => {
      const row = await lockNumber(db, idText(id));
      if (row?.status !== 'assigned' || row.rentMeteredUntil === null || row.rentMeteredUntil >= month) return;
      const environment = await findEnvironment(db, row.environmentId);
      if (!environment) return;
      actIn(environment, row.activityId);
      await db.update(numbers, { id: row.id }, { rentMeteredUntil: month });
      await use(metering).record(environment, [rentOf(row, monthsBetween(row.rentMeteredUntil, month))]);
    });
  return due.length;
}

/** How many months lie from one to a later one: 1 from 2026-12 to 2027-01. */
function monthsBetween(from: string, to: string): number {
  const count = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));
  return count(to) - count(from);
}
