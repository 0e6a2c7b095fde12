import { defineOperation } from '#core/kernel/operation.js';
import { boolean, list, nullable, object, optional } from '#core/kernel/schema/schema.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleSegment } from '../../examples.js';
import { Segment } from '../../resources.js';
import { Suggestions, suggestionsFor } from '../../segments/suggestions.js';
import { presentSegment } from '../../segments/store.js';
import { segments } from '../../tables/segment.js';

export default defineOperation({
  name: 'audience.segment.list',
  summary: 'Lists the environment’s segments.',
  description: 'Newest first. `suggest` also returns what conditions and the triggers of automations can name.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  namedItems: { id: 'segmentId', names: ['name'] },
  input: object({
    ...page,
    suggest: optional(boolean('Also return the properties and events that exist, for a choice.')),
  }),
  output: object({ segments: list(Segment), nextBefore, suggestions: nullable(Suggestions) }),
  example: { input: {}, output: { segments: [exampleSegment], nextBefore: null, suggestions: null } },

  async handle({ before, limit, suggest }, { db, caller, deployment }) {
    const query = db
      .select(segments, 'segment')
      .where('segment.environment_id = :environment', { environment: idBytes(caller.environment.id) })
      .andWhere('segment.deleted_at IS NULL');
    const { rows, next } = await paged(query, 'segment', 'environment', { before, limit });
    const suggestions = suggest === true ? await suggestionsFor(db, deployment, caller.environment.id) : null;
    return { segments: rows.map(presentSegment), nextBefore: next, suggestions };
  },
});
