import type { SqlValue } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Channel } from '../ports.js';

/** A condition that stands in a statement, with the values of its placeholders. */
export interface Condition {
  sql: string;
  parameters: readonly SqlValue[];
}

/*
 * The rule of who may be reached, once, as SQL: asked about one address before and as a message leaves, and about millions when a
 * broadcast is fanned out.
 */

/** Does a suppression of the channel stand against an address? @param digest the expression of its digest */
export const suppressed = (environmentId: string, channel: Channel, digest: string): Condition => ({
  sql: `EXISTS (SELECT 1 FROM audience_suppression s
    WHERE s.environment_id = ? AND s.channel = ? AND s.address_digest = ${digest} AND s.standing = 1)`,
  parameters: [idBytes(environmentId), Buffer.from(channel)],
});

/**
 * Has a contact granted consent to the topic on the channel, and not revoked it? Nothing is sent under an archived topic, nor on a channel
 * that is not the topic's.
 * @param contactId the expression of the contact's id
 */
export const subscribed = (
  environmentId: string,
  { channel, topic }: { channel: Channel; topic: string },
  contactId: string,
): Condition => ({
  sql: `EXISTS (SELECT 1 FROM audience_consent k
    WHERE k.contact_id = ${contactId} AND k.channel = ? AND k.topic = ? AND k.environment_id = ? AND k.state = 'granted')
    AND EXISTS (SELECT 1 FROM audience_topic t
    WHERE t.environment_id = ? AND t.topic = ? AND t.archived_at IS NULL AND JSON_CONTAINS(t.channels, ?))`,
  parameters: [
    Buffer.from(channel),
    Buffer.from(topic),
    idBytes(environmentId),
    idBytes(environmentId),
    Buffer.from(topic),
    JSON.stringify(channel),
  ],
});
