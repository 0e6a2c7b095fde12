import { textLiteral } from '#core/runtime/database/literal.js';
import { idBytes } from '#core/runtime/id.js';
import type { Condition } from '../condition.js';
import type { Channel, SendPurpose, SuppressionReason } from '../ports.js';

/*
 * The eligibility rule, written once as SQL: `decideEligibility` applies it to the addresses of one message,
 * `eligibleRecipients` to all contacts of an environment.
 */

/**
 * The reasons of suppressions that block a message, strongest first. `bounce` and `stop` block everything. `complaint`
 * and `manual` allow system messages: a person who requested a sign-in code gets it. `unsubscribe` covers only what
 * people subscribe to, so receipts and other messages without a topic are still sent.
 */
export const blockingReasons = ({ topic, system }: Omit<SendPurpose, 'channel'>): readonly SuppressionReason[] => [
  'stop',
  'bounce',
  ...(system ? [] : (['complaint', 'manual'] as const)),
  ...(topic === null ? [] : (['unsubscribe'] as const)),
];

/**
 * Matches if an active suppression with one of `reasons` exists for an address.
 * @param digest SQL expression of the address digest
 */
export const isSuppressed = (
  environmentId: string,
  channel: Channel,
  reasons: readonly SuppressionReason[],
  digest: string,
): Condition => ({
  sql: `EXISTS (SELECT 1 FROM audience_suppression s
    WHERE s.environment_id = ? AND s.channel = ? AND s.address_digest = ${digest} AND s.reason IN (?) AND s.active = 1)`,
  parameters: [idBytes(environmentId), Buffer.from(channel), reasons.map((reason) => Buffer.from(reason))],
});

/**
 * The id of the suppression with the first of `reasons`, as an SQL expression that is NULL if there is none.
 * @param environment SQL expression of the environment's id
 * @param digest SQL expression of the address digest
 */
export function suppressionId(
  environment: string,
  channel: Channel,
  reasons: readonly SuppressionReason[],
  digest: string,
): string {
  const words = reasons.map(textLiteral).join(', ');
  return `(SELECT s.id FROM audience_suppression s WHERE s.environment_id = ${environment}
    AND s.channel = ${textLiteral(channel)} AND s.address_digest = ${digest} AND s.reason IN (${words}) AND s.active = 1
    ORDER BY FIELD(s.reason, ${words}) LIMIT 1)`;
}

/** The value of a topic, as an SQL expression. */
export const topicValue = (topic: string): Condition => ({ sql: '?', parameters: [Buffer.from(topic)] });

/** The channel and the topic, as an SQL expression, for which consent is checked. */
interface ConsentQuestion {
  readonly channel: Channel;
  readonly topic: Condition;
}

/**
 * Matches if a contact's current consent to the topic is granted on the channel. Nothing matches for an archived topic,
 * or for a channel that the topic does not have.
 * @param contactId SQL expression of the contact's id
 */
export const hasConsent = (
  environmentId: string,
  { channel, topic }: ConsentQuestion,
  contactId: string,
): Condition => ({
  sql: `EXISTS (SELECT 1 FROM audience_consent k
    WHERE k.contact_id = ${contactId} AND k.channel = ? AND k.topic = ${topic.sql} AND k.environment_id = ? AND k.state = 'granted')
    AND EXISTS (SELECT 1 FROM audience_topic t
    WHERE t.environment_id = ? AND t.topic = ${topic.sql} AND t.archived_at IS NULL AND JSON_CONTAINS(t.channels, ?))`,
  parameters: [
    Buffer.from(channel),
    ...topic.parameters,
    idBytes(environmentId),
    idBytes(environmentId),
    ...topic.parameters,
    JSON.stringify(channel),
  ],
});

/**
 * The consent record by which a contact has opted out of the topic on the channel, as an SQL expression that is NULL if
 * there is none.
 * @param contactId SQL expression of the contact's id
 */
export const optOutRecord = (
  environmentId: string,
  { channel, topic }: ConsentQuestion,
  contactId: string,
): Condition => ({
  sql: `(SELECT k.record_id FROM audience_consent k
    WHERE k.contact_id = ${contactId} AND k.channel = ? AND k.topic = ${topic.sql} AND k.environment_id = ? AND k.state = 'revoked')`,
  parameters: [Buffer.from(channel), ...topic.parameters, idBytes(environmentId)],
});

/**
 * Why nothing can be sent under a topic on a channel, as an SQL expression: `topic_archived`, `topic_channel_missing`,
 * or NULL if there is no such reason.
 */
export const topicProblem = (environmentId: string, { channel, topic }: ConsentQuestion): Condition => ({
  sql: `(SELECT CASE WHEN t.archived_at IS NOT NULL THEN 'topic_archived'
    WHEN NOT JSON_CONTAINS(t.channels, ?) THEN 'topic_channel_missing' END
    FROM audience_topic t WHERE t.environment_id = ? AND t.topic = ${topic.sql})`,
  parameters: [JSON.stringify(channel), idBytes(environmentId), ...topic.parameters],
});
