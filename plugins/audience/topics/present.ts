import type { ValueOf } from '#core/kernel/schema/schema.js';
import { jsonTexts } from '#core/runtime/database/json.js';
import { channels, type Channel } from '../ports.js';
import type { Topic } from '../resources.js';
import type { TopicRow } from '../tables/topic.js';

/** The channels of a topic, in one order whatever order they were given in. */
export const channelsOf = (row: Pick<TopicRow, 'channels'>): Channel[] => {
  const named = jsonTexts(row.channels);
  return channels.filter((each) => named.includes(each));
};

/** A topic as replies and events carry it. */
export const presentTopic = (row: TopicRow): ValueOf<typeof Topic> => ({
  key: row.topic,
  name: row.name,
  description: row.description,
  channels: channelsOf(row),
  public: row.isPublic,
  archivedAt: row.archivedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
