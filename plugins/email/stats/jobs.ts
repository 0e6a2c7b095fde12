import type { Services } from '#core/kernel/services.js';
import { statJobsOf } from '#core/messaging/stats/jobs.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { statTables } from '../tables/stat.js';

export const statJobs = (services: Services): RecurringJob[] => statJobsOf(services, 'email', statTables);
