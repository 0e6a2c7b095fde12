import { defineOperation } from '#core/kernel/operation.js';
import { describeReferences } from '#core/messaging/references.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleSegment } from '../../examples.js';
import { Segment } from '../../resources.js';
import { referencesTo } from '../../segments/references-port.js';
import { lockSegment, presentSegment } from '../../segments/store.js';
import { segments } from '../../tables/segment.js';

export default defineOperation({
  name: 'audience.segment.delete',
  summary: 'Deletes a segment that is not referenced by an open broadcast or an active automation.',
  description: 'Its name can be used again. Deleting it again changes nothing.',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ segmentId: uuid('The segment to delete.') }),
  output: object({ segment: Segment }),
  errors: ['segment_in_use'],
  events: ['audience.segment.deleted'],
  example: { input: { segmentId: exampleSegment.id }, output: { segment: exampleSegment } },

  async handle({ segmentId }, { db, caller, clock, fail, emit, audit }) {
    const environmentId = caller.environment.id;
    const row = await lockSegment(db, environmentId, segmentId);
    const segment = presentSegment(row);
    const deletedAt = clock.now();
    audit({
      subject: { type: 'segment', id: segmentId },
      summary: `Deleted the segment “${row.name}”.`,
      changes: row.deletedAt ? [] : [{ field: 'deletedAt', from: null, to: deletedAt.toISOString() }],
      unchanged: `the segment “${row.name}” was already deleted.`,
    });
    if (row.deletedAt) return { segment };
    const references = await referencesTo(db, environmentId, { segmentId });
    if (references.length > 0) throw fail.segment_in_use({ users: describeReferences(references) });
    await db.update(segments, { id: segmentId }, { deletedAt, nameKey: null });
    emit('audience.segment.deleted', { subjectId: segmentId, data: { segment } });
    return { segment };
  },
});
