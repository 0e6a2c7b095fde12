import type { PortContext } from '#core/kernel/context.js';
import type { Recipients } from '../ports.js';
import { preferencesUrl } from '../preferences/token.js';
import { segmentCondition } from '../segments/compile.js';
import { definitionOf, findSegment } from '../segments/store.js';
import { topics } from '../tables/topic.js';
import { everybody } from './eligible-recipients.js';
import { judge } from './check-eligibility.js';

/** Provides the port `recipients`: who may be reached, for the products that send. */
export const makeRecipients = (context: PortContext): Recipients => ({
  checkEligibility: (environmentId, occasion, addresses) => judge(context, environmentId, occasion, addresses),
  async mustBeSendable(environmentId, topic) {
    const row = await context.db.findOne(topics, { environmentId, topic });
    if (!row) throw context.failAny.not_found({ thing: `topic “${topic}”`, lookup: 'audience.topic.list' });
    if (row.archivedAt) throw context.failAny.topic_archived({ topic });
  },
  async eligibleRecipients(environmentId, occasion, segmentId) {
    if (segmentId === null) return everybody(environmentId, occasion, null);
    const segment = await findSegment(context.db, environmentId, segmentId);
    return everybody(
      environmentId,
      occasion,
      segmentCondition(definitionOf(segment), environmentId, context.clock.now()),
    );
  },
  preferencesUrl: (contactId, occasion) =>
    preferencesUrl(context.vault, context.deployment.baseUrl, contactId, occasion),
});
