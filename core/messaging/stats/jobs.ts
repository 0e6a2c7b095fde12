import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { dayOf } from '#core/runtime/clock.js';
import { forgetOldStats, rollUp } from './roll-up.js';
import type { StatTables } from '../stat-tables.js';

/** The recurring jobs of a channel's statistics. @param product names them */
export const statJobsOf = (
  { database, clock }: Pick<WorkerServices, 'database' | 'clock'>,
  product: string,
  tables: StatTables,
): RecurringJob[] => [
  {
    name: `${product}.roll-up-stats`,
    every: '1 minute',
    async run() {
      await rollUp(database, tables);
    },
  },
  {
    name: `${product}.forget-stats`,
    every: '1 day',
    isFinal: true,
    run: () => forgetOldStats(database, tables, dayOf(clock.now())),
  },
];
