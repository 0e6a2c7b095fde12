import { defineOperation } from '#core/kernel/operation.js';
import { count, object } from '#core/kernel/schema/schema.js';
import { exampleTopic } from '../../examples.js';
import { Topic, topicKey } from '../../resources.js';
import { countGranted, findTopic } from '../../topics/find.js';
import { presentTopic } from '../../topics/present.js';

export default defineOperation({
  name: 'audience.topic.get',
  summary: 'Returns a topic and how many contacts have granted it on each channel.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ topic: topicKey }),
  output: object({
    topic: Topic,
    granted: object(
      { email: count('By email.'), sms: count('By text message.') },
      {
        description:
          'Contacts whose current consent is granted, by channel; 0 for channels that the topic does not have.',
      },
    ),
  }),
  example: {
    input: { topic: exampleTopic.key },
    output: { topic: exampleTopic, granted: { email: 1024, sms: 256 } },
  },

  async handle({ topic }, { db, caller, deployment }) {
    const row = await findTopic(db, caller.environment.id, topic);
    return { topic: presentTopic(deployment, row), granted: await countGranted(db, row) };
  },
});
