import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import type { Recipients } from '../ports.js';
import { preferencesUrl } from '../preferences/token.js';
import { segmentCondition } from '../segments/compile.js';
import { definitionOf, findSegment } from '../segments/store.js';
import { topics } from '../tables/topic.js';
import { channelsOf } from '../topics/present.js';
import { checkEligibility } from './check-eligibility.js';
import { eligibleRecipients } from './eligible-recipients.js';

/** Provides the port `recipients`. */
export const makeRecipients = (context: Context<never, 'topic_archived'>): Recipients => ({
  checkEligibility: (environmentId, purpose, addresses) => checkEligibility(context, environmentId, purpose, addresses),
  async mustBeSendable(environmentId, topic) {
    const row = await context.db.findOne(topics, { environmentId, topic });
    if (!row) throw context.fail.not_found({ thing: `topic “${topic}”`, lookup: 'audience.topic.list' });
    if (row.archivedAt) throw context.fail.topic_archived({ topic });
  },
  async eligibleRecipients(environmentId, purpose, segmentId) {
    if (segmentId === null) return eligibleRecipients(environmentId, purpose, null);
    const segment = await findSegment(context.db, environmentId, segmentId);
    const filter = segmentCondition(definitionOf(segment), environmentId, context.clock.now());
    return eligibleRecipients(environmentId, purpose, filter);
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
  preferencesUrl: (contactId, message) => preferencesUrl(context.vault, context.deployment.baseUrl, contactId, message),
});
