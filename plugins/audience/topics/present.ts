import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { channels } from '../channels.js';
import type { Channel } from '../ports.js';
import type { Topic } from '../resources.js';
import type { TopicRow } from '../tables/topic.js';

/** The channels of a topic, always in the same order. */
export const channelsOf = (row: Pick<TopicRow, 'channels'>): Channel[] =>
  channels.filter((channel) => row.channels.includes(channel));

/** The path of a topic's subscribe form. */
export const subscribePath = ({ environmentId, topic }: Pick<TopicRow, 'environmentId' | 'topic'>): string =>
  `/subscribe/${environmentId}/${topic}`;

/** A topic as it appears in replies and events. */
export const presentTopic = ({ baseUrl }: Pick<Deployment, 'baseUrl'>, row: TopicRow): ValueOf<typeof Topic> => ({
  key: row.topic,
  name: row.name,
  description: row.description,
  channels: channelsOf(row),
  public: row.isPublic,
  subscribeForm: row.subscribeForm && { ...row.subscribeForm, url: `${baseUrl}${subscribePath(row)}` },
  archivedAt: row.archivedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
