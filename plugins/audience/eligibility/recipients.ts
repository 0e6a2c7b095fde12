import type { Context } from '#core/kernel/context.js';
import type { Recipients } from '../ports.js';
import { preferencesUrl } from '../preferences/token.js';
import { segmentCondition } from '../segments/compile.js';
import { definitionOf, findSegment } from '../segments/store.js';
import { topics } from '../tables/topic.js';
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
  preferencesUrl: (contactId, message) => preferencesUrl(context.vault, context.deployment.baseUrl, contactId, message),
});
