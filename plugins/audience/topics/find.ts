import { refusalOf } from '#core/kernel/errors/common.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Channel } from '../ports.js';
import { topics, type TopicRow } from '../tables/topic.js';
import { channelsOf } from './present.js';

/** The refusal of a topic that the environment does not have. @param key undefined if the text must not be repeated */
export const topicNotFound = (key?: string): SvcError =>
  refusalOf.not_found({
    thing: key === undefined ? 'topic' : `topic “${key}”`,
    lookup: 'audience.topic.create adds a topic, and audience.topic.list',
  });

/**
 * The topic with a key.
 * @throws not_found if the environment has none
 */
export const findTopic = (db: Session, environmentId: string, key: string): Promise<TopicRow> =>
  selectTopic(db, environmentId, key, '');

/**
 * The topic with a key, locked until the transaction ends, so that archiving it cannot run while something starts to
 * use it.
 * @throws not_found
 */
export const lockTopic = (db: Session, environmentId: string, key: string): Promise<TopicRow> =>
  selectTopic(db, environmentId, key, ' FOR UPDATE');

async function selectTopic(
  db: Session,
  environmentId: string,
  key: string,
  locking: '' | ' FOR UPDATE',
): Promise<TopicRow> {
  const [found] = await db.prepared<object>(
    `SELECT ${topics.columnList()} FROM audience_topic WHERE environment_id = ? AND topic = ?${locking}`,
    [idBytes(environmentId), Buffer.from(key)],
  );
  if (!found) throw topicNotFound(key);
  return topics.decode(found);
}

/** An environment's topics, oldest first. */
export const topicsOf = (db: Session, environmentId: string): Promise<TopicRow[]> =>
  db
    .select(topics, 'topic')
    .where('topic.environment_id = :environment', { environment: idBytes(environmentId) })
    .orderBy('topic.id')
    .getMany();

/**
 * The number of contacts whose current consent to a topic is granted, by channel. Consents on channels that the topic
 * does not have are not counted, since nothing is sent on them. Read only from an index.
 */
export async function countGranted(
  db: Session,
  { environmentId, topic, channels }: Pick<TopicRow, 'environmentId' | 'topic' | 'channels'>,
): Promise<Record<Channel, number>> {
  const reachable = channelsOf({ channels });
  const rows = await db.rows<{ channel: Buffer; granted: number }>(
    `SELECT channel, COUNT(*) AS granted FROM audience_consent
     WHERE environment_id = ? AND topic = ? AND channel IN (?) AND state = 'granted' GROUP BY channel`,
    [idBytes(environmentId), Buffer.from(topic), reachable.map((each) => Buffer.from(each))],
  );
  const countOn = (channel: Channel): number => rows.find((row) => row.channel.toString() === channel)?.granted ?? 0;
  return { email: countOn('email'), sms: countOn('sms') };
}

/** The topic and channel that a grant is for. */
export interface GrantTarget {
  topic: string;
  channel: string;
}

/**
 * Checks that consent can be granted to all of these topics.
 * @param grants `field` is the grant's path in the request: `consents[0]`, or an empty text for the request itself
 * @throws not_found, topic_archived, and invalid_input for a channel that the topic does not have
 */
export async function requireGrantable(
  db: Session,
  environmentId: string,
  grants: readonly (GrantTarget & { field: string })[],
  fail: ErrorMakers<'topic_archived', SvcError>,
): Promise<void> {
  const rows = new Map<string, TopicRow>();
  for (const { topic, channel, field } of grants) {
    const row = rows.get(topic) ?? (await findTopic(db, environmentId, topic));
    rows.set(topic, row);
    if (row.archivedAt) throw fail.topic_archived({ topic });
    if (channelsOf(row).some((each) => each === channel)) continue;
    const name = field === '' ? 'channel' : `${field}.channel`;
    const problem = `must be one of the topic’s channels (${channelsOf(row).join(', ')})`;
    throw invalidField(name, problem);
  }
}
