import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { exampleSegment } from '../../examples.js';
import { Segment } from '../../resources.js';
import { countMatches } from '../../segments/planner.js';
import { evaluate } from '../../segments/slow.js';
import { findSegment, presentSegment, treeOf } from '../../segments/store.js';

export default defineOperation({
  name: 'audience.segment.get',
  summary: 'Returns a segment with its current size.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayTakeLong: () => true,
  mayBeOld: 'on request',
  input: object({ segmentId: uuid('The segment.') }),
  output: object({ segment: Segment, size: count('How many contacts it matches now.') }),
  errors: ['invalid_definition'],
  example: { input: { segmentId: exampleSegment.id }, output: { segment: exampleSegment, size: 12 } },

  async handle({ segmentId }, { db, caller, clock, fail }) {
    const environmentId = caller.environment.id;
    const row = await findSegment(db, environmentId, segmentId);
    const scope = { environmentId, now: clock.now() };
    const tree = treeOf(row);
    const size = await evaluate({ db, scope, fail }, tree, () => countMatches(db, tree, scope));
    return { segment: presentSegment(row), size };
  },
});
