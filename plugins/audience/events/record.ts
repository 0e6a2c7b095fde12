import { isDuplicate } from '#core/runtime/database/errors.js';
import { insertInto, joined } from '#core/runtime/database/statement.js';
import { idBytes, newId } from '#core/runtime/id.js';
import type { RecordedEvent } from '../ports.js';
import { nameId } from '../contacts/value-key.js';
import type { Context } from '#core/kernel/context.js';

/**
 * Writes an event and counts it in its contact's tally, in one round trip. The caller holds the contact's row.
 * @param eventId the customer's own id: one event of each name is recorded under it in an environment
 * @returns false for a repeat, of which nothing is written: racers meet at the unique index, and the statement that counts stands after it
 */
export async function recordEvent(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { environment, contactId, name, properties, occurredAt }: RecordedEvent,
  eventId: string | null,
): Promise<boolean> {
  const contact = idBytes(contactId);
  const event = insertInto('audience_event', [
    {
      id: idBytes(newId()),
      environment_id: idBytes(environment.id),
      contact_id: contact,
      name: Buffer.from(name),
      event_id: eventId === null ? null : Buffer.from(eventId),
      properties: JSON.stringify(properties),
      occurred_at: occurredAt,
      recorded_at: clock.now(),
    },
  ]);
  const tally = insertInto('audience_event_tally', [
    { contact_id: contact, name_id: nameId(environment.id, name), count: 1, last_at: occurredAt },
  ]);
  const counted = '`count` = `count` + 1, last_at = GREATEST(last_at, VALUES(last_at))';
  const { sql, parameters } = joined([event, { ...tally, sql: `${tally.sql} ON DUPLICATE KEY UPDATE ${counted}` }]);
  try {
    await db.run(sql, parameters);
    return true;
  } catch (error) {
    if (isDuplicate(error, 'name_event_id')) return false;
    throw error;
  }
}
