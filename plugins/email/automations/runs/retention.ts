import type { Services } from '#core/kernel/services.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import { deleteRows } from '#core/runtime/database/delete-in-batches.js';
import { crashPoint } from '#core/runtime/fault.js';
import type { RecurringJob } from '#core/runtime/jobs/scheduler.js';
import { settings } from '../../deployment/settings.js';

/** Runs that one transaction deletes: few enough not to hold locks for long. */
const batchSize = 500;

/**
 * Deletes runs and their history some time after their end. The record of enrolments stays, so that no contact is
 * enrolled again.
 */
export const runJobs = ({
  database,
  clock,
  deployment,
}: Pick<Services, 'database' | 'clock' | 'deployment'>): RecurringJob[] => [
  {
    name: 'email.forget-automation-runs',
    every: '1 hour',
    isFinal: true,
    async run() {
      const oldest = shift(clock.now(), -deployment.settingsOf(settings).automationRunRetentionDays * dayMs);
      for (;;) {
        const deleted = await database.transaction(async (db) => {
          const rows = await db.rows<{ id: Buffer }>(
            'SELECT id FROM email_automation_run WHERE ended_at < ? ORDER BY ended_at LIMIT ? FOR UPDATE',
            [oldest, batchSize],
          );
          if (rows.length === 0) return 0;
          const ids = rows.map(({ id }) => id);
          // A run may have many steps.
          await deleteRows(db, [
            { sql: 'DELETE FROM email_automation_history WHERE run_id IN (?)', parameters: [ids] },
          ]);
          crashPoint('automation.retention.history');
          await db.run('DELETE FROM email_automation_run WHERE id IN (?)', [ids]);
          return ids.length;
        });
        if (deleted < batchSize) return;
      }
    },
  },
];
