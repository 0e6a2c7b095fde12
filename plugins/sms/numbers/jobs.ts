import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { idText } from '#core/runtime/id.js';
import { forEachRow } from '#core/runtime/jobs/for-each-row.js';
import { metering } from '#plugins/billing/ports.js';
import { numbers } from '../tables/number.js';
import { monthOf, rentDue } from './rent.js';
import { lockNumber } from './settle.js';

const job = 'sms.number-rent';

/** Meters the rent of the numbers for each month that begins while an environment has them. */
export const numberJobs = (services: WorkerServices): RecurringJob[] => [
  { name: job, every: '1 hour', isFinal: true, run: () => meterRent(services) },
];

/** Each number has its own transaction, in which its month is compared again. */
async function meterRent({ database, clock, log, transaction }: WorkerServices): Promise<void> {
  const month = monthOf(clock.now());
  await forEachRow({
    log,
    job,
    read: (after, limit) =>
      database.rows<{ id: Buffer }>(
        `SELECT id FROM sms_number FORCE INDEX (rent)
         WHERE status = 'assigned' AND rent_metered_until < ? AND id > ? ORDER BY id LIMIT ?`,
        [Buffer.from(month), after, limit],
      ),
    handle: ({ id }) =>
      transaction('Rent of numbers', async ({ db, use, actIn }) => {
        const row = await lockNumber(db, idText(id));
        if (row?.status !== 'assigned') return;
        const rent = rentDue(row, month);
        if (!rent) return;
        const environment = await findEnvironment(db, row.environmentId);
        if (!environment) return;
        actIn(environment, row.activityId);
        await db.update(numbers, { id: row.id }, { rentMeteredUntil: month });
        await use(metering).record(environment, [rent]);
      }),
  });
}
