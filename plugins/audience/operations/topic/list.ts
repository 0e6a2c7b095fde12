import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { boolean, list, object, withDefault } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleTopic } from '../../examples.js';
import { Topic } from '../../resources.js';
import { presentTopic } from '../../topics/present.js';
import { topics } from '../../tables/topic.js';

export default defineOperation({
  name: 'audience.topic.list',
  summary: 'Lists the environment’s topics.',
  description: 'Newest first.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ archived: withDefault(boolean('List archived topics instead of active ones.'), false), ...page }),
  output: object({ topics: list(Topic), nextBefore }),
  example: { input: {}, output: { topics: [exampleTopic], nextBefore: null } },

  async handle({ archived, before, limit }, { db, caller, deployment }) {
    const query = db
      .select(topics, 'topic')
      .where('topic.environment_id = :environment', { environment: idBytes(caller.environment.id) })
      .andWhere(archived ? 'topic.archived_at IS NOT NULL' : 'topic.archived_at IS NULL');
    const { rows, next } = await paged(query, 'topic', 'environment', { before, limit });
    return { topics: rows.map((row) => presentTopic(deployment, row)), nextBefore: next };
  },
});
