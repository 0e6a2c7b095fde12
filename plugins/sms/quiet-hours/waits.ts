import type { ReadContext } from '#core/kernel/context.js';
import { minuteMs, shift, type Clock } from '#core/runtime/clock.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { directory } from '#plugins/account/ports.js';
import { contacts } from '#plugins/audience/ports.js';
import { loadSettings } from '../settings/load.js';
import type { MessageRow } from '../tables/message.js';
import { nextAllowed, type QuietHours } from './next-allowed.js';
import { zonesOfNumber } from './zone-map.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import { groupBy } from '#core/messaging/group-by.js';
import { createBatcher } from '#core/runtime/database/batcher.js';

/** What determines how long a message waits. */
export type Waiting = Pick<
  MessageRow,
  'id' | 'environmentId' | 'broadcastId' | 'automationId' | 'contactId' | 'toNumber'
>;

/** Whether quiet hours apply to a message. Only texts of broadcasts and automations wait. */
export const canWait = ({ broadcastId, automationId }: Waiting): boolean =>
  broadcastId !== null || automationId !== null;

/** When messages of one environment may be sent, if that is later than now. @returns by message id */
export async function waitsOf(
  { db, use }: Pick<ReadContext, 'db' | 'use'>,
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

/** How soon a text is checked again that waits only because the time is not trusted. */
const doubtMs = 5 * minuteMs;

/** The same, while the time is not trusted: a text waits while it may still be quiet, and is checked again soon. */
async function surelyWaitsOf(
  context: Pick<ReadContext, 'db' | 'use'>,
  messages: readonly Waiting[],
  clock: Clock,
): Promise<Map<string, Date>> {
  const now = clock.now();
  const until = await waitsOf(context, messages, now);
  if (clock.isTrusted()) return until;
  const certain = clock.certain();
  for (const [id, at] of await waitsOf(context, messages, certain))
    if (!until.has(id)) until.set(id, shift(now, Math.min(doubtMs, at.getTime() - certain.getTime())));
  return until;
}

async function zoneOfProject({ db, use }: Pick<ReadContext, 'db' | 'use'>, environmentId: string): Promise<string> {
  const [row] = await db.rows<{ project_id: Buffer }>('SELECT project_id FROM svc_environment WHERE id = ?', [
    idBytes(environmentId),
  ]);
  return row ? use(directory).timeZone(idText(row.project_id)) : 'UTC';
}

/** Whose clock decides. */
interface QuietRecipient {
  /** The contact's own zone; null if it has none. */
  readonly timeZone: string | null;
  /** E.164. */
  readonly number: string;
  /** The zone of the project, for numbers whose prefix does not determine a zone. */
  readonly projectZone: string;
}

/**
 * When a text may be sent: by the contact's zone, else by the zones of the number's prefix, else by the project's zone.
 * A number of many zones, such as a toll-free one, waits until it is quiet in none of them; if they have no such hour
 * in common, the project's zone decides.
 * @returns `at` itself, or the end of the quiet hours
 */
export async function allowedFrom(recipient: QuietRecipient, hours: QuietHours, at: Date): Promise<Date> {
  const { timeZone, number, projectZone } = recipient;
  const own = timeZone === null ? await zonesOfNumber(number) : [timeZone];
  const zones = own.length === 0 ? [projectZone] : own;
  return nextAllowed(at, hours, zones) ?? nextAllowed(at, hours, [projectZone]) ?? at;
}

/** Messages that arrive within this time are checked together. */
const gatherMs = 40;

/**
 * Creates the function that makes texts of broadcasts and automations wait for their recipient's morning
 * (DeliveryDriver.sendableFrom). Single texts and codes never wait.
 */
export function quietHours(
  services: Pick<WorkerServices, 'read' | 'clock'>,
): (message: Waiting) => Promise<Date | undefined> {
  const waitOf = createBatcher(
    (messages: readonly Waiting[]) =>
      services.read('Quiet hours', async (context) => {
        const until = new Map<string, Date>();
        for (const group of groupBy(messages, ({ environmentId }) => environmentId))
          for (const [id, at] of await surelyWaitsOf(context, group, services.clock)) until.set(id, at);
        return messages.map(({ id }) => until.get(id) ?? null);
      }),
    { maxItems: 200, maxRunning: 4, gatherMs, splitOnError: true },
  );
  return async (message) => (canWait(message) ? ((await waitOf(message)) ?? undefined) : undefined);
}
