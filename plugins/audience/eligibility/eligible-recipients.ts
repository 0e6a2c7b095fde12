import type { Rows } from '#core/runtime/database/rows.js';
import { idBytes } from '#core/runtime/id.js';
import type { SendPurpose } from '../ports.js';
import { subscribed, suppressed, type Condition } from './conditions.js';

/**
 * Everybody who may be sent this, now, for a statement that writes to all of them at once: the same rule as `judge`, and no contact passes
 * through this process.
 * @param within narrows the contacts `c`, such as a segment's condition
 */
export function everybody(
  environmentId: string,
  { channel, topic }: SendPurpose & { topic: string },
  within: Condition | null,
): Rows<'contact_id' | 'address'> {
  const address = channel === 'email' ? 'c.email' : 'c.phone';
  const isSubscribed = subscribed(environmentId, { channel, topic }, 'c.id');
  const isSuppressed = suppressed(environmentId, channel, channel === 'email' ? 'c.email_digest' : 'c.phone_digest');
  return {
    sql: `SELECT c.id AS contact_id, ${address} AS address FROM audience_contact c
      WHERE c.environment_id = ? AND ${address} IS NOT NULL AND ${isSubscribed.sql} AND NOT ${isSuppressed.sql}${within ? ` AND (${within.sql})` : ''}`,
    parameters: [
      idBytes(environmentId),
      ...isSubscribed.parameters,
      ...isSuppressed.parameters,
      ...(within?.parameters ?? []),
    ],
    columns: ['contact_id', 'address'],
  };
}
