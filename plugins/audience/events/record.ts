import type { Context } from '#core/kernel/context.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { joined, orUpdate } from '#core/runtime/database/statement.js';
import { newId } from '#core/runtime/id.js';
import { nameId } from '../contacts/value-key.js';
import type { EventTriggers, RecordedEvent } from '../ports.js';
import { eventTallies, recordedEvents } from '../tables/event.js';

/** The stand-in for the port `eventTriggers` if no enabled product has automations. */
export const noTriggers = (): EventTriggers => ({ recorded: () => Promise.resolve([]) });

/**
 * Writes an event and counts it in the contact's tally, in one round trip. The caller has locked the contact.
 * @param eventId the customer's own id; an event is recorded once per environment, name and eventId
 * @returns false for a repeat, for which nothing is written: the INSERT of the event fails, and the tally comes after
 * it
 */
export async function recordEvent(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { environment, contactId, name, properties, occurredAt }: RecordedEvent,
  eventId: string | null,
): Promise<boolean> {
  const event = recordedEvents.insertRows([
    {
      id: newId(),
      environmentId: environment.id,
      contactId,
      name,
      eventId,
      properties: JSON.stringify(properties),
      occurredAt,
      recordedAt: clock.now(),
    },
  ]);
  const tally = eventTallies.insertRows([
    { contactId, nameId: nameId(environment.id, name), count: 1, lastAt: occurredAt },
  ]);
  const increment = '`count` = `count` + 1, last_at = GREATEST(last_at, VALUES(last_at))';
  const statement = joined([event, orUpdate(tally, increment)]);
  try {
    await db.run(statement);
    return true;
  } catch (error) {
    if (isDuplicate(error, 'name_event_id')) return false;
    throw error;
  }
}
