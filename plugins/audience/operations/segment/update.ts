import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nameKey } from '#core/kernel/schema/name-key.js';
import { count, ifUnchangedSince, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { exampleSegment } from '../../examples.js';
import { Segment } from '../../resources.js';
import { refuseInvalid } from '../../segments/definition-error.js';
import { countMatches } from '../../segments/planner.js';
import { definition, definitionHelp, segmentName } from '../../segments/input.js';
import { segmentChanges } from '../../segments/audit.js';
import { parseDefinition } from '../../segments/parse.js';
import { evaluate } from '../../segments/slow.js';
import { findSegment, lockSegment, presentSegment, treeOf } from '../../segments/store.js';
import { segments, type SegmentRow } from '../../tables/segment.js';

export default defineOperation({
  name: 'audience.segment.update',
  summary: 'Renames a segment or changes its definition.',
  description: `Fields that are left out stay as they are. ${definitionHelp}`,
  access: 'secret',
  impact: { retrySafe: true },
  mayTakeLong: () => true,
  input: object(
    {
      segmentId: uuid('The segment to change.'),
      name: optional(segmentName),
      definition: optional(definition),
      ifUnchangedSince,
    },
    { minProperties: 2 },
  ),
  output: object({ segment: Segment, estimate: count('How many contacts it matches now.') }),
  errors: ['invalid_definition', 'name_taken'],
  events: ['audience.segment.updated'],
  example: {
    input: { segmentId: exampleSegment.id, name: 'Quiet regulars' },
    output: { segment: exampleSegment, estimate: 12 },
  },

  /** Before anything is locked: counting a million contacts takes a while. */
  async prepare({ segmentId, definition: given }, { db, caller, clock, fail }) {
    const environmentId = caller.environment.id;
    const changed = given && refuseInvalid(fail, () => parseDefinition(given));
    const tree = changed ?? treeOf(await findSegment(db, environmentId, segmentId));
    const scope = { environmentId, now: clock.now() };
    return { estimate: await evaluate({ db, scope, fail }, tree, () => countMatches(db, tree, scope)) };
  },

  async handle({ segmentId, ...input }, context) {
    const { db, caller, clock, vault, fail, emit, audit, prepared } = context;
    const { estimate } = prepared;
    const environmentId = caller.environment.id;
    const before = await lockSegment(db, environmentId, segmentId);
    if (before.deletedAt) throw fail.not_found({ ...segments.notFound });
    await requireUnchanged(context, input.ifUnchangedSince, before, { type: 'segment', id: segmentId });
    const name = input.name ?? before.name;
    const after: SegmentRow = {
      ...before,
      name,
      nameKey: nameKey(name),
      definition: input.definition ? JSON.stringify(input.definition) : before.definition,
      updatedAt: updateTime(before, clock.now()),
    };
    const changes = segmentChanges(vault, before, after);
    const isRedefined = changes.some(({ field }) => field === 'definition');
    const action = isRedefined ? 'Changed the definition of the segment' : 'Changed the segment';
    audit({
      subject: { type: 'segment', id: segmentId },
      summary: `${action} “${name}”.`,
      changes,
      unchanged: `the segment “${name}” already had these values.`,
    });
    if (changes.length === 0) return { segment: presentSegment(before), estimate };
    try {
      await db.update(segments, { id: segmentId }, after);
    } catch (error) {
      if (isDuplicate(error, 'name')) throw fail.name_taken({ thing: 'segment', name });
      throw error;
    }
    const segment = presentSegment(after);
    emit('audience.segment.updated', { subjectId: segmentId, data: { segment } });
    return { segment, estimate };
  },
});
