import type { Rows } from '#core/runtime/database/rows.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Channel, ContactRange } from '../ports.js';
import { blockingReasons, hasConsent, isSuppressed, topicValue } from './conditions.js';
import type { Condition } from '../condition.js';

/**
 * Every contact that may be sent messages under a topic now, as SQL for one statement that writes to all of them: the
 * same rule as `decideEligibility`, without loading the contacts into this process.
 * @param filter an additional condition on the contacts `c`, such as a segment's; null for none
 * @param range limits the result to a range of contact ids, so that one statement stays short
 */
export function eligibleRecipients(
  environmentId: string,
  { channel, topic }: { channel: Channel; topic: string },
  filter: Condition | null,
  range: ContactRange,
): Rows<'contact_id' | 'address'> {
  const [address, digest] = channel === 'email' ? ['c.email', 'c.email_digest'] : ['c.phone', 'c.phone_digest'];
  const consent = hasConsent(environmentId, { channel, topic: topicValue(topic) }, 'c.id');
  const suppressed = isSuppressed(environmentId, channel, blockingReasons({ topic, system: false }), digest);
  const within = rangeCondition(range);
  return {
    sql: `SELECT c.id AS contact_id, ${address} AS address FROM audience_contact c FORCE INDEX (environment)
      WHERE c.environment_id = ?${within.sql} AND ${address} IS NOT NULL AND ${consent.sql} AND NOT ${suppressed.sql}${filter ? ` AND (${filter.sql})` : ''}`,
    parameters: [
      idBytes(environmentId),
      ...within.parameters,
      ...consent.parameters,
      ...suppressed.parameters,
      ...(filter?.parameters ?? []),
    ],
    columns: ['contact_id', 'address'],
  };
}

/**
 * Whether a contact still has the address that a message goes to and may be sent it now: the rule of
 * `eligibleRecipients` for single messages of a statement.
 * @param columns SQL of the contact's id and of the address, in the form in which it is compared
 */
export function mayGet(
  environmentId: string,
  { channel, topic }: { channel: Channel; topic: string },
  { contactId, addressKey }: { readonly contactId: string; readonly addressKey: string },
): Condition {
  const [key, digest] = channel === 'email' ? ['c.email_key', 'c.email_digest'] : ['c.phone', 'c.phone_digest'];
  const consent = hasConsent(environmentId, { channel, topic: topicValue(topic) }, 'c.id');
  const suppressed = isSuppressed(environmentId, channel, blockingReasons({ topic, system: false }), digest);
  return {
    sql: `EXISTS (SELECT 1 FROM audience_contact c WHERE c.id = ${contactId} AND c.environment_id = ? AND ${key} = ${addressKey}
      AND ${consent.sql} AND NOT ${suppressed.sql})`,
    parameters: [idBytes(environmentId), ...consent.parameters, ...suppressed.parameters],
  };
}

/** Limits the contacts `c` to a range of ids. */
export function rangeCondition({ after, upTo }: ContactRange): Condition {
  return after === null
    ? { sql: ' AND c.id <= ?', parameters: [idBytes(upTo)] }
    : { sql: ' AND c.id > ? AND c.id <= ?', parameters: [idBytes(after), idBytes(upTo)] };
}

/** The next `count` contacts of an environment, by id. @returns null if none is left */
export async function contactsAfter(
  db: ReadSession,
  environmentId: string,
  after: string | null,
  count: number,
): Promise<ContactRange | null> {
  const [last] = await db.rows<{ id: Buffer | null }>(
    `SELECT MAX(batch.id) AS id FROM (SELECT id FROM audience_contact FORCE INDEX (environment)
       WHERE environment_id = ?${after === null ? '' : ' AND id > ?'} ORDER BY id LIMIT ?) batch`,
    [idBytes(environmentId), ...(after === null ? [] : [idBytes(after)]), count],
  );
  return last?.id ? { after, upTo: idText(last.id) } : null;
}
