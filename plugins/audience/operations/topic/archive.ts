import { updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { describeReferences } from '#core/messaging/references.js';
import { object } from '#core/kernel/schema/schema.js';
import { exampleTopic } from '../../examples.js';
import { Topic, topicKey } from '../../resources.js';
import { referencesTo } from '../../segments/references-port.js';
import { lockTopic } from '../../topics/find.js';
import { presentTopic } from '../../topics/present.js';
import { topics } from '../../tables/topic.js';

export default defineOperation({
  name: 'audience.topic.archive',
  summary: 'Archives a topic.',
  description:
    'Its consent records are kept, but nothing can be sent or granted under it. Archiving it again changes nothing. audience.topic.restore restores it.',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ topic: { ...topicKey, description: 'The key of the topic to archive.' } }),
  output: object({ topic: Topic }),
  errors: ['topic_in_use'],
  events: ['audience.topic.archived'],
  example: {
    input: { topic: exampleTopic.key },
    output: { topic: { ...exampleTopic, archivedAt: exampleTopic.updatedAt } },
  },

  async handle({ topic: key }, { db, caller, clock, deployment, fail, emit, audit }) {
    const environmentId = caller.environment.id;
    const row = await lockTopic(db, environmentId, key);
    const now = clock.now();
    const updatedAt = updateTime(row, now);
    const before = presentTopic(deployment, row);
    const topic = row.archivedAt ? before : presentTopic(deployment, { ...row, archivedAt: now, updatedAt });
    audit({
      subject: { type: 'topic', id: row.topic },
      summary: `Archived the topic ${row.topic}.`,
      changes: changesBetween(before, topic, ['archivedAt']),
      unchanged: `the topic ${row.topic} was already archived.`,
    });
    if (row.archivedAt) return { topic };
    const references = await referencesTo(db, environmentId, { topic: row.topic });
    if (references.length > 0) throw fail.topic_in_use({ topic: row.topic, users: describeReferences(references) });
    await db.update(topics, { id: row.id }, { archivedAt: now, updatedAt });
    emit('audience.topic.archived', { subjectId: row.topic, data: { topic } });
    return { topic };
  },
});
