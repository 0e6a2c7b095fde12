import { defineOperation } from '#core/kernel/operation.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleSegment } from '../../examples.js';
import { Segment } from '../../resources.js';
import { presentSegment } from '../../segments/store.js';
import { segments } from '../../tables/segment.js';

export default defineOperation({
  name: 'audience.segment.list',
  summary: 'Lists the environment’s segments.',
  description: 'Newest first.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  namedItems: { id: 'segmentId', names: ['name'] },
  input: object({ ...page }),
  output: object({ segments: list(Segment), nextBefore }),
  example: { input: {}, output: { segments: [exampleSegment], nextBefore: null } },

  async handle({ before, limit }, { db, caller }) {
    const query = db
      .select(segments, 'segment')
      .where('segment.environment_id = :environment', { environment: idBytes(caller.environment.id) })
      .andWhere('segment.deleted_at IS NULL');
    const { rows, next } = await paged(query, 'segment', 'environment', { before, limit });
    return { segments: rows.map(presentSegment), nextBefore: next };
  },
});
