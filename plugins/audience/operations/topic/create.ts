import { newFields } from '#core/kernel/audit/changes.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { keyPattern } from '#core/kernel/schema/patterns.js';
import { object, optional, text, withDefault } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { exampleTopic } from '../../examples.js';
import { channels } from '../../channels.js';
import { Topic } from '../../resources.js';
import { maxActive, maxTopics, requireRoomForNew } from '../../topics/caps.js';
import {
  isPublic,
  subscribeFormInput,
  subscribeFormOf,
  topicChannels,
  topicDescription,
  topicName,
} from '../../topics/input.js';
import { channelsOf, presentTopic } from '../../topics/present.js';
import { topics, type TopicRow } from '../../tables/topic.js';

export default defineOperation({
  name: 'audience.topic.create',
  summary: 'Creates a consent topic that people can subscribe to.',
  description: `An environment has at most ${maxActive} topics that are not archived, and ${maxTopics} in total.`,
  keywords: 'subscription list category interest signup double opt-in',
  access: 'secret',
  input: object({
    key: text('The topic’s permanent key, such as news. Messages and consents refer to it.', {
      pattern: keyPattern,
    }),
    name: topicName,
    description: optional(topicDescription),
    channels: withDefault(topicChannels, [...channels]),
    public: withDefault(isPublic, true),
    subscribeForm: subscribeFormInput,
  }),
  output: object({ topic: Topic }),
  errors: ['topic_key_taken', 'limit_reached'],
  events: ['audience.topic.created'],
  example: {
    input: { key: exampleTopic.key, name: exampleTopic.name, description: exampleTopic.description },
    output: { topic: exampleTopic },
  },

  async handle(input, { db, caller, clock, deployment, fail, emit, audit }) {
    const environmentId = caller.environment.id;
    await lockEnvironment(db, environmentId);
    await requireRoomForNew(db, environmentId, fail);
    const now = clock.now();
    const row: TopicRow = {
      id: newId(),
      environmentId,
      topic: input.key,
      name: input.name,
      description: input.description ?? null,
      channels: channelsOf(input),
      isPublic: input.public,
      subscribeForm: subscribeFormOf(input.subscribeForm ?? null, input.channels, deployment),
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    try {
      await db.insert(topics, row);
    } catch (error) {
      if (isDuplicate(error, 'topic')) throw fail.topic_key_taken({ key: input.key });
      throw error;
    }
    const topic = presentTopic(deployment, row);
    audit({
      subject: { type: 'topic', id: row.topic },
      summary: `Created the topic ${row.topic}.`,
      changes: newFields(topic, ['key', 'name', 'description', 'channels', 'public', 'subscribeForm']),
    });
    emit('audience.topic.created', { subjectId: row.topic, data: { topic } });
    return { topic };
  },
});
