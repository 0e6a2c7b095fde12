import type { Change, Context } from '#core/kernel/context.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Channel } from '../ports.js';
import { consents } from '../tables/consent.js';
import { topics, type TopicRow } from '../tables/topic.js';
import { findTopic } from '../topics/find.js';
import { channelsOf } from '../topics/present.js';
import { changesIn, revokeConsents } from './append.js';
import type { ContactAddresses } from './history.js';
import { consentsById } from './list.js';
import type { ConsentValue } from './present.js';

/**
 * The topics that an opt-out from a whole channel includes: the topics that have the channel, and the topics that no
 * longer have it but to which the contact's consent there is still granted. Such a topic may get the channel again,
 * just as an archived one may be restored.
 */
export async function revocableTopics(
  db: Session,
  { id: contactId }: Pick<ContactAddresses, 'id'>,
  channel: Channel,
  all: readonly TopicRow[],
): Promise<TopicRow[]> {
  const granted = new Set(
    (await db.find(consents, { contactId, channel, state: 'granted' })).map(({ topic }) => topic),
  );
  return all.filter((row) => channelsOf(row).includes(channel) || granted.has(row.topic));
}

interface Revocation {
  channel: Channel;
  /** Null for every topic of the channel, including archived ones, which may be restored. */
  topic: string | null;
  source: string;
  ip: string | null;
}

/**
 * Revokes a contact's consent to one topic or to all topics of a channel. The caller has locked the contact. Topics
 * that were never granted are revoked too, so that older evidence found later does not count.
 * @returns the records that define the state now, including earlier revocations, and the changes of state for the audit
 * record
 * @throws not_found if there is no such topic
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
  const wanted = topic === null ? await revocableTopics(db, contact, channel, rows) : rows;
  const keys = wanted.map((row) => row.topic);
  const results = await revokeConsents(
    context,
    keys.sort().map((key) => ({ contact, channel, topic: key, state: 'revoked', source, ip, givenAt: clock.now() })),
  );
  const earlier = await consentsById(
    db,
    results.flatMap(({ effective, current }) => (effective || !current ? [] : [current.recordId])),
  );
  const records = results.flatMap(({ record, effective, current }) =>
    record && effective ? [record] : earlier.filter(({ id }) => id === current?.recordId),
  );
  return { consents: records, changes: changesIn(results) };
}
