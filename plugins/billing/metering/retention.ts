import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import { firstIdAt } from '#core/runtime/id.js';
import { dayMs, periodOf } from '../periods/months.js';

/** How long usage rows are kept after they are rolled up; totals and invoices are kept. */
const usageDays = 400;
const batchSize = 2_000;

/** Deletes usage rows and claims of active users that are past their retention time. */
export async function forgetUsage({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  const before = shift(clock.now(), -usageDays * dayMs);
  const deletions = [
    {
      // Ids begin with their time, so rows that are kept are not read.
      sql: 'DELETE FROM billing_usage WHERE id < ? AND is_rolled_up = 1 ORDER BY id LIMIT ?',
      from: firstIdAt(before),
    },
    {
      sql: 'DELETE FROM billing_active_user WHERE period < ? ORDER BY period LIMIT ?',
      from: Buffer.from(periodOf(before)),
    },
    {
      sql: 'DELETE FROM billing_contact_peak WHERE period < ? ORDER BY period LIMIT ?',
      from: Buffer.from(periodOf(before)),
    },
  ];
  for (const { sql, from } of deletions)
    for (let done = batchSize; done === batchSize;) done = (await database.run(sql, [from, batchSize])).affectedRows;
}
