import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { noteSent } from '../events/message-tally.js';
import type { Recipients } from '../ports.js';
import { preferencesUrl } from '../preferences/token.js';
import { candidatesOf, everybody, type Candidates } from '../segments/candidates.js';
import { findSegment, treeOf } from '../segments/store.js';
import { topics } from '../tables/topic.js';
import { topicNotFound } from '../topics/find.js';
import { channelsOf } from '../topics/present.js';
import { decideEligibility } from './decide-eligibility.js';
import { segments } from '../tables/segment.js';
import { countBatch } from './count-audience.js';
import { countSegment } from './count-segment.js';
import { contactsAfter, eligibleRecipients, mayGet } from './eligible-recipients.js';

/** About how many contacts a batch takes whose messages are made (core/messaging/broadcasts/fan-out.ts). */
const madePerBatch = 5_000;

/** The contacts among which those of a segment are; all without one. @throws not_found */
async function candidates(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  environmentId: string,
  segmentId: string | null,
  size: number,
): Promise<Candidates> {
  if (segmentId === null) return everybody;
  const tree = treeOf(await findSegment(db, environmentId, segmentId));
  return candidatesOf(db, tree, { environmentId, now: clock.now() }, size);
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
  async contactsAfter(environmentId, segmentId, after, count) {
    const among = await candidates(context, environmentId, segmentId, count);
    return contactsAfter(context.db, environmentId, among, after, count);
  },
  async countAudience(environmentId, purpose, segmentId, options) {
    const tree = segmentId === null ? null : treeOf(await findSegment(context.db, environmentId, segmentId));
    return countSegment(context.db, { environmentId, now: context.clock.now() }, purpose, tree, options);
  },
  async recipientsIn(environmentId, purpose, segmentId, range) {
    const among = await candidates(context, environmentId, segmentId, madePerBatch);
    return {
      eligible: eligibleRecipients(environmentId, purpose, among, range),
      counts: await countBatch(context.db, environmentId, purpose, among, range),
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
