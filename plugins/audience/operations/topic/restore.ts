import { updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { exampleTopic } from '../../examples.js';
import { Topic, topicKey } from '../../resources.js';
import { maxActive, requireRoomForActive } from '../../topics/caps.js';
import { lockTopic } from '../../topics/find.js';
import { presentTopic } from '../../topics/present.js';
import { topics } from '../../tables/topic.js';

export default defineOperation({
  name: 'audience.topic.restore',
  summary: 'Restores an archived topic with the consents it had.',
  description: `Restoring a topic that is not archived changes nothing. An environment has at most ${maxActive} topics that are not archived.`,
  access: 'secret',
  impact: { retrySafe: true },
  input: object({ topic: { ...topicKey, description: 'The key of the topic to restore.' } }),
  output: object({ topic: Topic }),
  errors: ['limit_reached'],
  events: ['audience.topic.restored'],
  example: { input: { topic: exampleTopic.key }, output: { topic: exampleTopic } },

  async handle({ topic: key }, { db, caller, clock, deployment, fail, emit, audit }) {
    const environmentId = caller.environment.id;
    // Locked as in audience.topic.create, so that the limit of topics in use holds.
    await lockEnvironment(db, environmentId);
    const row = await lockTopic(db, environmentId, key);
    const updatedAt = updateTime(row, clock.now());
    const before = presentTopic(deployment, row);
    const topic = row.archivedAt ? presentTopic(deployment, { ...row, archivedAt: null, updatedAt }) : before;
    audit({
      subject: { type: 'topic', id: row.topic },
      summary: `Restored the topic ${row.topic}.`,
      changes: changesBetween(before, topic, ['archivedAt']),
      unchanged: `the topic ${row.topic} was not archived.`,
    });
    if (!row.archivedAt) return { topic };
    await requireRoomForActive(db, environmentId, fail);
    await db.update(topics, { id: row.id }, { archivedAt: null, updatedAt });
    emit('audience.topic.restored', { subjectId: row.topic, data: { topic } });
    return { topic };
  },
});
