import type { Channel } from '../ports.js';
import { topics } from '../tables/topic.js';
import type { Context } from '#core/kernel/context.js';
import { findTopic } from '../topics/find.js';
import { channelsOf } from '../topics/present.js';
import { denyConsents } from './append.js';
import { consentsById } from './list.js';
import type { ConsentValue } from './present.js';
import type { Addressed } from './state.js';

export interface Revocation {
  channel: Channel;
  /** Null for every topic of the channel, archived ones included: they may come back. */
  topic: string | null;
  source: string;
  ip: string | null;
}

/**
 * Revokes a contact's consent, whose row the caller has locked. Also what was never granted is revoked: the no stands against older
 * evidence that turns up later.
 * @returns the records where the contact stands now, those that stood already included
 * @throws not_found where there is no such topic
 */
export async function revokeConsents(
  scene: Context<'audience.consent.revoked'>,
  contact: Addressed,
  { channel, topic, source, ip }: Revocation,
): Promise<ConsentValue[]> {
  const { db, clock } = scene;
  const rows =
    topic === null
      ? await db.find(topics, { environmentId: contact.environmentId })
      : [await findTopic(db, contact.environmentId, topic)];
  const keys = rows.filter((row) => topic !== null || channelsOf(row).includes(channel)).map((row) => row.topic);
  const appended = await denyConsents(
    scene,
    keys.sort().map((key) => ({ contact, channel, topic: key, state: 'revoked', source, ip, givenAt: clock.now() })),
  );
  const standing = await consentsById(
    db,
    appended.flatMap(({ effective, standing: before }) => (effective || !before ? [] : [before.recordId])),
  );
  // A no that is said again is on record, and what stands is the first one.
  return appended.flatMap(({ record, effective, standing: before }) =>
    record && effective ? [record] : standing.filter(({ id }) => id === before?.recordId),
  );
}
