import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { noteSent } from '../events/message-tally.js';
import type { Recipients } from '../ports.js';
import { preferencesUrl } from '../preferences/token.js';
import { segmentCondition } from '../segments/compile.js';
import { definitionOf, findSegment } from '../segments/store.js';
import { topics } from '../tables/topic.js';
import { topicNotFound } from '../topics/find.js';
import { channelsOf } from '../topics/present.js';
import { decideEligibility } from './decide-eligibility.js';
import { segments } from '../tables/segment.js';
import type { Condition } from '../condition.js';
import { countAudience, countBatch } from './count-audience.js';
import { contactsAfter, eligibleRecipients, mayGet } from './eligible-recipients.js';

/** The condition of a segment; null without one. @throws not_found */
async function filterOf(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  environmentId: string,
  segmentId: string | null,
): Promise<Condition | null> {
  if (segmentId === null) return null;
  const segment = await findSegment(db, environmentId, segmentId);
  return segmentCondition(definitionOf(segment), environmentId, clock.now());
}

/** Provides the port `recipients`. */
export const makeRecipients = (context: Context<never, 'topic_archived'>): Recipients => ({
  eligibilityOf: (environmentId, purpose, addresses) =>
    decideEligibility(
      context,
      environmentId,
      addresses.map((address) => ({ ...purpose, address })),
    ),
  async mustBeSendable(environmentId, topic) {
    const row = await context.db.findOne(topics, { environmentId, topic });
    if (!row) throw topicNotFound(topic);
    if (row.archivedAt) throw context.fail.topic_archived({ topic });
  },
  contactsAfter: (environmentId, after, count) => contactsAfter(context.db, environmentId, after, count),
  async countAudience(environmentId, purpose, segmentId, options) {
    const filter = await filterOf(context, environmentId, segmentId);
    return countAudience(context.db, environmentId, purpose, filter, options);
  },
  async recipientsIn(environmentId, purpose, segmentId, range) {
    const filter = await filterOf(context, environmentId, segmentId);
    return {
      eligible: eligibleRecipients(environmentId, purpose, filter, range),
      counts: await countBatch(context.db, environmentId, purpose, filter, range),
    };
  },
  noteSent: (environmentId, channel, at, contacts) => noteSent(context.db, environmentId, channel, at, contacts),
  mayGet: (environmentId, purpose, columns) => mayGet(environmentId, purpose, columns),
  async hasSegment(environmentId, segmentId) {
    const row = await context.db.findOne(segments, { id: segmentId, environmentId });
    return row !== null && row.deletedAt === null;
  },
  async topicFacts(environmentId, keys) {
    if (keys.length === 0) return new Map();
    const rows = await context.db.rows<object>(
      `SELECT ${topics.columnList()} FROM audience_topic WHERE environment_id = ? AND topic IN (?)`,
      [idBytes(environmentId), keys.map((key) => Buffer.from(key))],
    );
    return new Map(
      rows.map((row) => {
        const { topic, archivedAt, ...found } = topics.decode(row);
        return [topic, { channels: channelsOf(found), archived: archivedAt !== null }];
      }),
    );
  },
  preferencesUrl: (contactId, message, to) =>
    preferencesUrl(context.vault, context.deployment.baseUrl, contactId, message, to),
});
