import type { Rows } from '#core/runtime/database/rows.js';
import { idBytes } from '#core/runtime/id.js';
import type { Channel } from '../ports.js';
import { blockingReasons, hasConsent, isSuppressed, type Condition } from './conditions.js';

/**
 * Every contact that may be sent messages under a topic now, as SQL for one statement that writes to all of them: the same rule as
 * `checkEligibility`, without loading the contacts into this process.
 * @param filter a further condition on the contacts `c`, such as a segment's; null for none
 */
export function eligibleRecipients(
  environmentId: string,
  { channel, topic }: { channel: Channel; topic: string },
  filter: Condition | null,
): Rows<'contact_id' | 'address'> {
  const [address, digest] = channel === 'email' ? ['c.email', 'c.email_digest'] : ['c.phone', 'c.phone_digest'];
  const consent = hasConsent(environmentId, { channel, topic }, 'c.id');
  const suppressed = isSuppressed(environmentId, channel, blockingReasons({ topic, system: false }), digest);
  return {
    sql: `SELECT c.id AS contact_id, ${address} AS address FROM audience_contact c
      WHERE c.environment_id = ? AND ${address} IS NOT NULL AND ${consent.sql} AND NOT ${suppressed.sql}${filter ? ` AND (${filter.sql})` : ''}`,
    parameters: [
      idBytes(environmentId),
      ...consent.parameters,
      ...suppressed.parameters,
      ...(filter?.parameters ?? []),
    ],
    columns: ['contact_id', 'address'],
  };
}
