import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import type { Services } from '#core/kernel/services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { repriceMonths } from './cap/reprice-months.js';
import { notifyOwners } from './cap/notify-owners.js';
import { countContacts } from './closing/contact-peaks.js';
import { rollUpUsage } from './closing/roll-up.js';
import { followPayments } from './payments/aftermath/follow.js';
import { followSetups } from './payments/setup/follow.js';
import { forgetSetups } from './payments/setup/retention.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import { firstIdAt } from '#core/runtime/id.js';
import { periodOf } from './periods/months.js';

export const billingJobs = (services: Services): RecurringJob[] => [
  // Metering
  {
    name: 'billing.roll-up-usage',
    every: '10 seconds',
    async run() {
      await rollUpUsage(services);
      await repriceMonths(services);
    },
  },
  { name: 'billing.notify-owners', every: '1 minute', run: () => notifyOwners(services) },
  { name: 'billing.count-contacts', every: '10 minutes', isFinal: true, run: () => countContacts(services) },
  { name: 'billing.forget-usage', every: '1 day', isFinal: true, run: () => forgetUsage(services) },
  // Payments
  { name: 'billing.follow-payments', every: '15 minutes', run: () => followPayments(services) },
  { name: 'billing.follow-payment-setups', every: '5 minutes', run: () => followSetups(services) },
  { name: 'billing.forget-payment-setups', every: '1 day', isFinal: true, run: () => forgetSetups(services) },
];

/** How long usage rows are kept after they are rolled up; totals and invoices are kept. */
const usageDays = 400;

/** Deletes usage rows and claims of active users that are past their retention time. */
export async function forgetUsage({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  const before = shift(clock.now(), -usageDays * dayMs);
  const deletions = [
    {
      // Ids begin with their time, so rows that are kept are not read.
      sql: 'DELETE FROM billing_usage WHERE id < ? AND is_rolled_up = 1 ORDER BY id',
      from: firstIdAt(before),
    },
    {
      sql: 'DELETE FROM billing_active_user WHERE period < ? ORDER BY period',
      from: Buffer.from(periodOf(before)),
    },
    {
      sql: 'DELETE FROM billing_contact_peak WHERE period < ? ORDER BY period',
      from: Buffer.from(periodOf(before)),
    },
  ];
  for (const { sql, from } of deletions) await deleteInBatches(database, sql, [from]);
}
