import type { Callback } from '#core/kernel/callback.js';
import { registrationIdIn } from '../providers/callback-values.js';
import { chooseProvider } from '../providers/choose.js';
import { recordReport } from './record-report.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes } from '#core/runtime/id.js';
import { registrationQueueRef } from '../registration-data/table.js';

/**
 * Takes the provider's reports about texts, and its notices that a registration has changed, after which the provider
 * is asked for the registration's status. Each report is authenticated by the provider's signature. A repeated report,
 * or one about nothing that this deployment sent, is accepted anyway, so that the provider does not send it again.
 */
export const statusCallback: Callback = {
  path: '/v1/sms/status',
  bodyLimit: 64 * 1024,
  async answer(request, services) {
    const provider = chooseProvider(services);
    const report = provider.parseStatus(request);
    const registrationId = registrationIdIn(request.query);
    if (registrationId !== null) await checkNow(services, registrationId);
    else if (report) await recordReport(services, report);
    return provider.taken;
  },
};

/**
 * Makes the next check of a registration's status at the provider due immediately. Registrations that the carriers have
 * decided on have no next check.
 */
async function checkNow(
  { database, clock, wake }: Pick<WorkerServices, 'database' | 'clock' | 'wake'>,
  registrationId: string,
): Promise<void> {
  const now = clock.now();
  await database.run(`UPDATE ${registrationQueueRef.table} SET due_at = ? WHERE id = ? AND leased = 0 AND due_at > ?`, [
    now,
    idBytes(registrationId),
    now,
  ]);
  wake(registrationQueueRef.name);
}
