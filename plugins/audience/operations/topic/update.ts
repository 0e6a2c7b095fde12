import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { ifUnchangedSince, object, optional } from '#core/kernel/schema/schema.js';
import { exampleTopic } from '../../examples.js';
import { Topic, topicKey } from '../../resources.js';
import { lockTopic } from '../../topics/find.js';
import {
  isPublic,
  subscribeFormInput,
  topicChannels,
  topicDescription,
  topicName,
  updatedSubscribeForm,
} from '../../topics/input.js';
import { channelsOf, presentTopic } from '../../topics/present.js';
import { topics } from '../../tables/topic.js';

export default defineOperation({
  name: 'audience.topic.update',
  summary: 'Updates a topic’s name, description and other settings.',
  description:
    'Its key cannot be changed. Fields that are left out stay as they are; subscribeForm is replaced as a whole. Consents on a removed channel are kept; nothing is sent on it.',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    {
      topic: { ...topicKey, description: 'The key of the topic to change.' },
      name: optional(topicName),
      description: optional(topicDescription),
      channels: optional(topicChannels),
      public: optional(isPublic),
      subscribeForm: subscribeFormInput,
      ifUnchangedSince,
    },
    { minProperties: 2 },
  ),
  output: object({ topic: Topic }),
  events: ['audience.topic.updated'],
  example: { input: { topic: exampleTopic.key, name: exampleTopic.name }, output: { topic: exampleTopic } },

  async handle(input, context) {
    const { db, caller, clock, deployment, emit, audit } = context;
    const row = await lockTopic(db, caller.environment.id, input.topic);
    await requireUnchanged(context, input.ifUnchangedSince, row, { type: 'topic', id: row.topic });
    const before = presentTopic(deployment, row);
    const channels = input.channels ? channelsOf({ channels: input.channels }) : channelsOf(row);
    const values = {
      name: input.name ?? row.name,
      description: input.description === undefined ? row.description : input.description,
      channels,
      isPublic: input.public ?? row.isPublic,
      subscribeForm: updatedSubscribeForm(input.subscribeForm, row.subscribeForm, channels, deployment),
    };
    const after = presentTopic(deployment, { ...row, ...values });
    const changes = changesBetween(before, after, ['name', 'description', 'channels', 'public', 'subscribeForm']);
    audit({
      subject: { type: 'topic', id: row.topic },
      summary: `Changed the topic ${row.topic}.`,
      changes,
      unchanged: `the topic ${row.topic} already had these values.`,
    });
    if (changes.length === 0) return { topic: before };
    const updatedAt = updateTime(row, clock.now());
    await db.update(topics, { id: row.id }, { ...values, updatedAt });
    const topic = { ...after, updatedAt: updatedAt.toISOString() };
    emit('audience.topic.updated', { subjectId: row.topic, data: { topic } });
    return { topic };
  },
});
