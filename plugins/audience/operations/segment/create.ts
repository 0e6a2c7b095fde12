import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nameKey } from '#core/kernel/schema/name-key.js';
import { count, object } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { exampleDefinition, exampleSegment } from '../../examples.js';
import { Segment } from '../../resources.js';
import { refuseInvalid } from '../../segments/definition-error.js';
import { countMatches } from '../../segments/planner.js';
import { definition, definitionHelp, segmentName } from '../../segments/input.js';
import { segmentChanges } from '../../segments/audit.js';
import { parseDefinition } from '../../segments/parse.js';
import { evaluate } from '../../segments/slow.js';
import { countSegments, presentSegment } from '../../segments/store.js';
import { segments, type SegmentRow } from '../../tables/segment.js';

const maxSegments = 500;

export default defineOperation({
  name: 'audience.segment.create',
  summary: 'Creates a segment, a saved definition of contacts that is evaluated live.',
  description: `${definitionHelp} An environment has at most ${maxSegments} segments.`,
  keywords: 'group filter audience',
  access: 'secret',
  mayTakeLong: () => true,
  input: object({ name: segmentName, definition }),
  output: object({ segment: Segment, estimate: count('How many contacts it matches now.') }),
  errors: ['invalid_definition', 'name_taken', 'limit_reached'],
  events: ['audience.segment.created'],
  example: {
    input: { name: exampleSegment.name, definition: exampleDefinition },
    output: { segment: exampleSegment, estimate: 12 },
  },

  /** Before anything is locked: counting a million contacts takes a while. */
  async prepare({ definition: given }, { db, caller, clock, fail }) {
    const tree = refuseInvalid(fail, () => parseDefinition(given));
    const scope = { environmentId: caller.environment.id, now: clock.now() };
    return { estimate: await evaluate({ db, scope, fail }, tree, () => countMatches(db, tree, scope)) };
  },

  async handle(input, { db, caller, clock, vault, fail, emit, audit, prepared: { estimate } }) {
    const environmentId = caller.environment.id;
    const now = clock.now();
    await lockEnvironment(db, environmentId);
    if ((await countSegments(db, environmentId)) >= maxSegments)
      throw fail.limit_reached({
        limit: maxSegments,
        things: 'segments in this environment',
        nextStep:
          'Delete a segment that is no longer needed with audience.segment.delete (audience.segment.list shows them), then call again.',
      });
    const row: SegmentRow = {
      id: newId(),
      environmentId,
      name: input.name,
      nameKey: nameKey(input.name),
      definition: JSON.stringify(input.definition),
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    };
    try {
      await db.insert(segments, row);
    } catch (error) {
      if (isDuplicate(error, 'name')) throw fail.name_taken({ thing: 'segment', name: input.name });
      throw error;
    }
    const segment = presentSegment(row);
    audit({
      subject: { type: 'segment', id: row.id },
      summary: `Created the segment “${row.name}”.`,
      changes: segmentChanges(vault, null, row),
    });
    emit('audience.segment.created', { subjectId: row.id, data: { segment } });
    return { segment, estimate };
  },
});
