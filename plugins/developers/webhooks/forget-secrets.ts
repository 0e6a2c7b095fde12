import type { Services } from '#core/kernel/services.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';

/** The job that erases the secrets before a rotation whose overlap has ended. They already sign nothing. */
export const forgetSecrets = ({ database, clock }: Services): RecurringJob[] => [
  {
    name: 'developers.forget-secrets',
    every: '5 minutes',
    async run() {
      await database.run(
        `UPDATE developers_webhook SET secret_before = NULL, secret_before_until = NULL
         WHERE secret_before_until <= ? ORDER BY secret_before_until LIMIT 1000`,
        [clock.now()],
      );
    },
  },
];
