import type { Deployment } from '#core/kernel/deployment.js';
import { oldestKept, type Retention } from '#core/kernel/environment/retention.js';
import type { Services } from '#core/kernel/services.js';
import { firstIdAt } from '#core/runtime/id.js';
import { deploymentSettings } from '../../settings/deployment-settings.js';

/** Rows per statement: few enough that no lock is held for long. */
const batchSize = 500;

/** How long payment setups are kept. */
export const setupRetentionOf = ({ settingsOf }: Pick<Deployment, 'settingsOf'>): Retention => ({
  variable: 'SVC_PAYMENT_SETUP_RETENTION_DAYS',
  rows: 'payment setups that started',
  days: settingsOf(deploymentSettings).paymentSetupRetentionDays,
});

/**
 * Deletes payment setups after their retention time. An account's last setup that led to a payment method is kept:
 * attempts to collect count from it (collection/attempts.ts).
 */
export async function forgetSetups({
  database,
  clock,
  deployment,
}: Pick<Services, 'database' | 'clock' | 'deployment'>): Promise<void> {
  const oldest = oldestKept(setupRetentionOf(deployment), clock.now());
  let after: Buffer | undefined = Buffer.alloc(16);
  while (oldest && after) {
    const rows: { id: Buffer; is_last: number }[] = await database.rows(
      `SELECT s.id, s.status = 'active' AND NOT EXISTS (SELECT 1 FROM billing_payment_setup n FORCE INDEX (account)
         WHERE n.account_id = s.account_id AND n.status = 'active'
           AND (n.ended_at > s.ended_at OR (n.ended_at = s.ended_at AND n.id > s.id))) AS is_last
       FROM billing_payment_setup s FORCE INDEX (PRIMARY) WHERE s.id > ? AND s.id < ? ORDER BY s.id LIMIT ?`,
      [after, firstIdAt(oldest), batchSize],
    );
    const gone = rows.filter((row) => row.is_last === 0).map(({ id }) => id);
    // A setup that has just become active is kept.
    if (gone.length > 0)
      await database.run(
        'DELETE FROM billing_payment_setup WHERE id IN (?) AND created_at < ? AND (ended_at IS NULL OR ended_at < ?)',
        [gone, oldest, oldest],
      );
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id;
  }
}
