import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes } from '#core/runtime/id.js';
import { registrationQueueRef } from '../registration-data/table.js';

/**
 * Makes the next check of a registration's status at the provider due immediately. Registrations that the carriers have
 * decided on have no next check.
 */
export async function checkNow(
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
