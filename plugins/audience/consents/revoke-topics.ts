import type { Change, Context } from '#core/kernel/context.js';
import type { Channel } from '../ports.js';
import { topics } from '../tables/topic.js';
import { findTopic } from '../topics/find.js';
import { channelsOf } from '../topics/present.js';
import { changesIn, revokeConsents } from './append.js';
import type { ContactAddresses } from './history.js';
import { consentsById } from './list.js';
import type { ConsentValue } from './present.js';

export interface Revocation {
  channel: Channel;
  /** Null for every topic of the channel, including archived ones, which may be restored. */
  topic: string | null;
  source: string;
  ip: string | null;
}

/**
 * Revokes a contact's consent to one topic or to all topics of a channel. The caller has locked the contact. Topics that were never granted
 * are revoked too, so that older evidence found later does not count.
 * @returns the records that define the state now, including revocations from before, and the changes of state for the audit record
 * @throws not_found when there is no such topic
 */
export async function revokeTopics(
  context: Context<'audience.consent.revoked'>,
  contact: ContactAddresses,
  { channel, topic, source, ip }: Revocation,
): Promise<{ consents: ConsentValue[]; changes: Change[] }> {
  const { db, clock } = context;
  const rows =
    topic === null
      ? await db.find(topics, { environmentId: contact.environmentId })
      : [await findTopic(db, contact.environmentId, topic)];
  const keys = rows.filter((row) => topic !== null || channelsOf(row).includes(channel)).map((row) => row.topic);
  const results = await revokeConsents(
    context,
    keys.sort().map((key) => ({ contact, channel, topic: key, state: 'revoked', source, ip, givenAt: clock.now() })),
  );
  const earlier = await consentsById(
    db,
    results.flatMap(({ effective, current }) => (effective || !current ? [] : [current.recordId])),
  );
  const consents = results.flatMap(({ record, effective, current }) =>
    record && effective ? [record] : earlier.filter(({ id }) => id === current?.recordId),
  );
  return { consents, changes: changesIn(results) };
}
