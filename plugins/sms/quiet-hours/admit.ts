import type { WorkerServices } from '#core/kernel/worker-services.js';
import { groupBy } from '#core/messaging/group-by.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import { canWait, waitsOf, type Waiting } from './waits.js';

/** Messages that arrive within this time are checked together. */
const gatherMs = 40;

/**
 * Creates the function that makes texts of broadcasts and automations wait for their recipient's morning
 * (DeliveryChannel.admit). Single texts and codes never wait.
 */
export function quietHours(
  services: Pick<WorkerServices, 'read' | 'clock'>,
): (message: Waiting) => Promise<Date | undefined> {
  const admit = createBatcher(
    (messages: readonly Waiting[]) =>
      services.read('Quiet hours', async (context) => {
        const until = new Map<string, Date>();
        for (const group of groupBy(messages, ({ environmentId }) => environmentId))
          for (const [id, at] of await waitsOf(context, group, services.clock.now())) until.set(id, at);
        return messages.map(({ id }) => until.get(id) ?? null);
      }),
    { maxItems: 200, maxRunning: 4, gatherMs, splitOnError: true },
  );
  return async (message) => (canWait(message) ? ((await admit(message)) ?? undefined) : undefined);
}
