import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleSegment } from '../../examples.js';
import { Segment } from '../../resources.js';
import { holdersOf, inWords } from '../../usage/usage.js';
import { findAnySegment, lockSegment, presentSegment } from '../../segments/store.js';
import { segments } from '../../tables/segment.js';

export default defineOperation({
  name: 'audience.segment.delete',
  summary: 'Delete a segment; refused while an open broadcast uses it.',
  description: 'Its name is free again. Deleting it once more answers as done.',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ segmentId: uuid('The segment to delete.') }),
  output: object({ segment: Segment }),
  errors: ['segment_in_use'],
  events: ['audience.segment.deleted'],
  example: { input: { segmentId: exampleSegment.id }, output: { segment: exampleSegment } },

  async handle({ segmentId }, { db, caller, clock, fail, emit, audit }) {
    const environmentId = caller.environment.id;
    await lockSegment(db, environmentId, segmentId);
    const row = await findAnySegment(db, environmentId, segmentId);
    const segment = presentSegment(row);
    const note = { subject: { type: 'segment', id: segmentId }, summary: `Deleted the segment “${row.name}”.` };
    if (row.deletedAt) {
      audit(note);
      return { segment };
    }
    const holders = await holdersOf(db, environmentId, { segmentId });
    if (holders.length > 0) throw fail.segment_in_use({ users: inWords(holders) });
    await db.update(segments, { id: segmentId }, { deletedAt: clock.now(), nameKey: null });
    audit(note);
    emit('audience.segment.deleted', { subjectId: segmentId, data: { segment } });
    return { segment };
  },
});
