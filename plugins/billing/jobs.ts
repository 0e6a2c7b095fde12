import type { Services } from '#core/kernel/services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { repriceMonths } from './cap/reprice-months.js';
import { notifyOwners } from './cap/notify-owners.js';
import { countContacts } from './closing/contact-peaks.js';
import { forgetUsage } from './metering/retention.js';
import { rollUpUsage } from './closing/roll-up.js';
import { followPayments } from './payments/aftermath/follow.js';
import { forgetSetups } from './payments/setup/retention.js';

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
  { name: 'billing.forget-payment-setups', every: '1 day', isFinal: true, run: () => forgetSetups(services) },
];
