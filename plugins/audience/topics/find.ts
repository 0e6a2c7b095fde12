import { refusalOf } from '#core/kernel/errors/common.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { channelsOf } from './present.js';
import { topics, type TopicRow } from '../tables/topic.js';

/** @throws not_found where the environment has no such topic */
export async function findTopic(db: Session, environmentId: string, topic: string): Promise<TopicRow> {
  const row = await db.findOne(topics, { environmentId, topic });
  if (!row) throw refusalOf.not_found({ thing: 'topic', lookup: 'audience.topic.list' });
  return row;
}

/**
 * The same, locked until the transaction ends: archiving and what would use the topic meanwhile go one by one.
 * @throws not_found
 */
export async function lockTopic(db: Session, environmentId: string, topic: string): Promise<TopicRow> {
  const { id } = await findTopic(db, environmentId, topic);
  await db.rows('SELECT id FROM audience_topic WHERE id = ? FOR UPDATE', [idBytes(id)]);
  return findTopic(db, environmentId, topic);
}

/** What a grant names of a topic. */
export interface Named {
  topic: string;
  channel: string;
}

/**
 * Checks that consent may be granted under all of these.
 * @param field where the claim stands in the request: `consents[0]`, or an empty text for the request itself
 * @throws not_found, topic_archived, invalid_input where a topic is not for the channel
 */
export async function mustBeGrantable(
  db: Session,
  environmentId: string,
  claims: readonly (Named & { field: string })[],
  fail: ErrorMakers<'topic_archived', SvcError>,
): Promise<void> {
  const rows = new Map<string, TopicRow>();
  for (const { topic, channel, field } of claims) {
    const row = rows.get(topic) ?? (await findTopic(db, environmentId, topic));
    rows.set(topic, row);
    if (row.archivedAt) throw fail.topic_archived({ topic });
    if (channelsOf(row).some((each) => each === channel)) continue;
    const name = field === '' ? 'channel' : `${field}.channel`;
    const problem = `must be one of the topic’s channels (${channelsOf(row).join(', ')})`;
    throw refusalOf.invalid_input({ field: name, problem, details: { field: name } });
  }
}
