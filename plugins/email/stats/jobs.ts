import type { Services } from '#core/kernel/services.js';
import { dayOf } from '#core/messaging/stats/count.js';
import { forgetOldStats, rollUp } from '#core/messaging/stats/roll-up.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { statTables } from '../tables/stat.js';

export const statJobs = ({ database, clock }: Services): RecurringJob[] => [
  {
    name: 'email.roll-up-stats',
    every: '1 minute',
    async run() {
      await rollUp(database, statTables);
    },
  },
  {
    name: 'email.forget-stats',
    every: '1 day',
    run: () => forgetOldStats(database, statTables, dayOf(clock.now())),
  },
];
