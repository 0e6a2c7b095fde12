import { deleteInBatches } from '#core/runtime/database/delete-in-batches.js';
import type { Services } from '#core/kernel/services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import { firstIdAt } from '#core/runtime/id.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { deploymentSettings } from '../deployment/settings.js';

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
      await deleteInBatches(database, 'DELETE FROM sms_inbound WHERE id < ? ORDER BY id', [firstIdAt(oldest)]);
    },
  },
];
