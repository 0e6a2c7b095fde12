import type { Services } from '#core/kernel/services.js';
import { shift } from '#core/runtime/clock.js';
import { firstIdAt } from '#core/runtime/id.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { deploymentSettings } from '../deployment/settings.js';

/** Rows per statement: few enough not to hold locks for long. */
const batchSize = 1_000;
const dayMs = 86_400_000;

/** Deletes received texts after their retention time. The effects of STOP and START stay. */
export const inboundJobs = ({
  database,
  clock,
  deployment,
}: Pick<Services, 'database' | 'clock' | 'deployment'>): RecurringJob[] => [
  {
    name: 'sms.forget-received-texts',
    every: '1 hour',
    isFinal: true,
    async run() {
      const oldest = shift(clock.now(), -deployment.settingsOf(deploymentSettings).smsInboundRetentionDays * dayMs);
      for (;;) {
        const { affectedRows } = await database.run('DELETE FROM sms_inbound WHERE id < ? ORDER BY id LIMIT ?', [
          firstIdAt(oldest),
          batchSize,
        ]);
        if (affectedRows < batchSize) return;
      }
    },
  },
];
