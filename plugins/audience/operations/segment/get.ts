import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { exampleSegment } from '../../examples.js';
import { Segment } from '../../resources.js';
import { countMatches } from '../../segments/planner.js';
import { findSegment, presentSegment, treeOf } from '../../segments/store.js';

export default defineOperation({
  name: 'audience.segment.get',
  summary: 'Show one segment with its current size.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ segmentId: uuid('The segment.') }),
  output: object({ segment: Segment, size: count('How many contacts it matches now.') }),
  example: { input: { segmentId: exampleSegment.id }, output: { segment: exampleSegment, size: 12 } },

  async handle({ segmentId }, { db, caller, clock }) {
    const environmentId = caller.environment.id;
    const row = await findSegment(db, environmentId, segmentId);
    const size = await countMatches(db, treeOf(row), { environmentId, now: clock.now() });
    return { segment: presentSegment(row), size };
  },
});
