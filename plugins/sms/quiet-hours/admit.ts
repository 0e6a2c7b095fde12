import type { ReadContext } from '#core/kernel/context.js';
import type { ErrorCode } from '#core/kernel/errors/errors.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { groupBy } from '#core/messaging/group-by.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { createBatcher } from '#core/runtime/work/batcher.js';
import { directory } from '#plugins/account/ports.js';
import { contacts } from '#plugins/audience/ports.js';
import { loadSettings } from '../settings/load.js';
import type { MessageRow } from '../tables/message.js';
import { allowedFrom } from './recipient.js';

type Waiting = Pick<MessageRow, 'id' | 'environmentId' | 'broadcastId' | 'automationId' | 'contactId' | 'toNumber'>;

/** Messages that come within this time are looked at together. */
const gatherMs = 40;

/**
 * Creates the function that makes texts of broadcasts and automations wait for their recipient's morning (DeliveryChannel.admit). Single texts
 * and codes never wait.
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
  return async (message) =>
    message.broadcastId === null && message.automationId === null ? undefined : ((await admit(message)) ?? undefined);
}

/** When messages of one environment may leave, where that is later than now. @returns by message id */
async function waitsOf(
  { db, use }: ReadContext<ErrorCode>,
  messages: readonly Waiting[],
  now: Date,
): Promise<Map<string, Date>> {
  const until = new Map<string, Date>();
  const environmentId = messages[0]?.environmentId ?? '';
  // Read each time: a change of the settings counts for what waits already.
  const { quietHours: hours } = await loadSettings(db, environmentId);
  if (!hours.enabled) return until;
  const [people, projectZone] = await Promise.all([
    use(contacts).facts(environmentId, [...new Set(messages.flatMap(({ contactId }) => contactId ?? []))]),
    zoneOfProject({ db, use }, environmentId),
  ]);
  for (const { id, contactId, toNumber: number } of messages) {
    const timeZone = (contactId === null ? undefined : people.get(contactId)?.timeZone) ?? null;
    const at = await allowedFrom({ timeZone, number, projectZone }, hours, now);
    if (at > now) until.set(id, at);
  }
  return until;
}

async function zoneOfProject(
  { db, use }: Pick<ReadContext<ErrorCode>, 'db' | 'use'>,
  environmentId: string,
): Promise<string> {
  const [row] = await db.rows<{ project_id: Buffer }>('SELECT project_id FROM svc_environment WHERE id = ?', [
    idBytes(environmentId),
  ]);
  return row ? use(directory).timeZone(idText(row.project_id)) : 'UTC';
}
