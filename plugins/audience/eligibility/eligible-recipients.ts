import type { Rows } from '#core/runtime/database/rows.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import type { Condition } from '../condition.js';
import type { Channel, ContactRange } from '../ports.js';
import { fromCandidates, idsAfter, type Candidates } from '../segments/candidates.js';
import { blockingReasons, hasConsent, isSuppressed, topicValue } from './conditions.js';

/**
 * Every contact that may be sent messages under a topic now, as SQL for one statement that writes to all of them: the
 * same rule as `decideEligibility`, without loading the contacts into this process.
 * @param candidates all contacts, or those of a segment
 * @param range limits the result to a range of contact ids, so that one statement stays short
 */
export function eligibleRecipients(
  environmentId: string,
  { channel, topic }: { channel: Channel; topic: string },
  candidates: Candidates,
  range: ContactRange,
): Rows<'contact_id' | 'address'> {
  const [address, digest] = channel === 'email' ? ['c.email', 'c.email_digest'] : ['c.phone', 'c.phone_digest'];
  const consent = hasConsent(environmentId, { channel, topic: topicValue(topic) }, 'c.id');
  const suppressed = isSuppressed(environmentId, channel, blockingReasons({ topic, system: false }), digest);
  const from = fromCandidates(environmentId, candidates, range);
  return {
    sql: `SELECT c.id AS contact_id, ${address} AS address ${from.sql} AND ${address} IS NOT NULL AND ${consent.sql} AND NOT ${suppressed.sql}`,
    parameters: [...from.parameters, ...consent.parameters, ...suppressed.parameters],
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

/** The next `count` candidates, by id. @returns null if none is left */
export async function contactsAfter(
  db: ReadSession,
  environmentId: string,
  candidates: Candidates,
  after: string | null,
  count: number,
): Promise<ContactRange | null> {
  const ids = idsAfter(environmentId, candidates, after, count);
  const [last] = await db.rows<{ id: Buffer | null }>(
    `SELECT MAX(batch.id) AS id FROM (${ids.sql}) batch`,
    ids.parameters,
  );
  return last?.id ? { after, upTo: idText(last.id) } : null;
}
