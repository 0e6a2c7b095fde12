import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes } from '#core/runtime/id.js';
import { registrationQueueRef } from '../tables/registration.js';

/** Has the carriers asked at once how a registration stands. One that they have decided on is left alone. */
export async function askNow(
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
