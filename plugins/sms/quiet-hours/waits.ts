import type { ReadContext } from '#core/kernel/context.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { directory } from '#plugins/account/ports.js';
import { contacts } from '#plugins/audience/ports.js';
import { loadSettings } from '../settings/load.js';
import type { MessageRow } from '../tables/message.js';
import { allowedFrom } from './recipient.js';

type Reading = Pick<ReadContext, 'db' | 'use'>;

/** What determines how long a message waits. */
export type Waiting = Pick<
  MessageRow,
  'id' | 'environmentId' | 'broadcastId' | 'automationId' | 'contactId' | 'toNumber'
>;

/** Whether quiet hours apply to a message: only texts of broadcasts and automations wait. */
export const canWait = ({ broadcastId, automationId }: Waiting): boolean =>
  broadcastId !== null || automationId !== null;

/** When messages of one environment may be sent, if that is later than now. @returns by message id */
export async function waitsOf(
  { db, use }: Reading,
  messages: readonly Waiting[],
  now: Date,
): Promise<Map<string, Date>> {
  const until = new Map<string, Date>();
  const environmentId = messages[0]?.environmentId ?? '';
  // Read each time: a change of the settings also applies to messages that are already waiting.
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

async function zoneOfProject({ db, use }: Reading, environmentId: string): Promise<string> {
  const [row] = await db.rows<{ project_id: Buffer }>('SELECT project_id FROM svc_environment WHERE id = ?', [
    idBytes(environmentId),
  ]);
  return row ? use(directory).timeZone(idText(row.project_id)) : 'UTC';
}
