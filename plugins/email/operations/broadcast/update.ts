import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { broadcastChanges } from '#core/messaging/broadcasts/audit.js';
import { moveScheduled, waitsForItsTime } from '#core/messaging/broadcasts/change-status.js';
import { countLater } from '#core/messaging/broadcasts/readiness.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { ifUnchangedSince, nullable, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { exampleBroadcast, exampleReadiness } from '../../broadcasts/examples.js';
import { applyInput } from '../../broadcasts/input.js';
import { emailBroadcasts } from '../../broadcasts/kind.js';
import { presentBroadcast } from '../../broadcasts/present.js';
import { shownReadiness } from '../../broadcasts/readiness.js';
import { Broadcast, broadcastFields, BroadcastReadiness } from '../../broadcasts/resources.js';
import { broadcasts, broadcastTables, type BroadcastRow } from '../../tables/broadcast.js';

/** Whether a call changes the time and nothing else. */
const isTimeOnly = (input: Readonly<Record<string, unknown>>): boolean =>
  input['scheduledAt'] !== undefined &&
  Object.entries(input).every(([name, value]) => name === 'scheduledAt' || value === undefined);

export default defineOperation({
  name: 'email.broadcast.update',
  summary: 'Updates a draft broadcast, or changes the time of a scheduled one.',
  description:
    'Fields that are left out stay as they are. Of a broadcast that waits for its time, only `scheduledAt` can be changed: a later or earlier time reschedules it, null makes it a draft again.',
  keywords: 'newsletter campaign edit reschedule unschedule postpone',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true },
  mayTakeLong: () => true,
  input: object(
    {
      broadcastId: uuid('The broadcast to change.'),
      name: optional(broadcastFields.name),
      template: optional(broadcastFields.template),
      from: optional(broadcastFields.from),
      topic: optional(broadcastFields.topic),
      subject: optional(nullable(broadcastFields.subject)),
      segmentId: optional(nullable(broadcastFields.segmentId)),
      variables: optional(broadcastFields.variables),
      ifUnchangedSince,
      scheduledAt: optional(nullable(broadcastFields.scheduledAt)),
    },
    { minProperties: 2 },
  ),
  output: object({ broadcast: Broadcast, readiness: BroadcastReadiness }),
  errors: ['broadcast_not_draft'],
  events: ['email.broadcast.updated'],
  example: {
    input: { broadcastId: exampleBroadcast.id, subject: 'News of November' },
    output: { broadcast: { ...exampleBroadcast, subject: 'News of November' }, readiness: exampleReadiness },
  },

  /** Before anything is locked: counting a million contacts takes a while. */
  async prepare({ broadcastId, ...input }, context) {
    const { environment } = context.caller;
    const before = await context.db.findOne(broadcasts, { id: broadcastId, environmentId: environment.id });
    if (!before) throw context.fail.not_found({ ...broadcasts.notFound });
    const fields = await applyInput(context, environment.id, before, input);
    const isUnscheduled = before.status === 'scheduled' && input.scheduledAt === null;
    const after: BroadcastRow = { ...before, ...fields, ...(isUnscheduled ? { status: 'draft' } : {}) };
    return shownReadiness(context, environment, after);
  },

  async handle({ broadcastId, ifUnchangedSince: since, ...input }, context) {
    const { db, caller, clock, fail, emit, audit } = context;
    const { readiness, background } = context.prepared;
    const before = await lockOwned(db, broadcasts, caller, broadcastId);
    await requireUnchanged(context, since, before, { type: 'broadcast', id: before.id });
    const now = clock.now();
    const isMoved = waitsForItsTime(before, now) && isTimeOnly(input);
    if (before.status !== 'draft' && !isMoved)
      throw fail.broadcast_not_draft({ channel: 'email', status: before.status });
    const fields = await applyInput(context, caller.environment.id, before, input);
    const isUnscheduled = isMoved && fields.scheduledAt === null;
    const status = isUnscheduled ? 'draft' : before.status;
    const after: BroadcastRow = {
      ...before,
      ...fields,
      ...(isUnscheduled ? { status, templateVersion: null } : {}),
      updatedAt: updateTime(before, now),
    };
    await countLater(context, broadcastTables, before, background);
    const was = presentBroadcast(before, null);
    const broadcast = presentBroadcast(after, null);
    const changes = broadcastChanges(was, broadcast, ['from', 'subject', 'status']);
    audit({
      subject: { type: 'broadcast', id: before.id },
      summary: isUnscheduled ? `Unscheduled the broadcast “${after.name}”.` : `Changed the broadcast “${after.name}”.`,
      changes,
      unchanged: `the broadcast “${after.name}” already had these values.`,
    });
    if (changes.length === 0) return { broadcast: was, readiness };
    if (isMoved) {
      await moveScheduled(context, emailBroadcasts, before, after);
      if (isUnscheduled) {
        await emailBroadcasts.metering(context).returnReserved(before.id);
        await emailBroadcasts.freeReferences(context, before.id);
      }
    } else await db.run(broadcasts.updateRow({ id: before.id }, { ...fields, updatedAt: after.updatedAt }));
    emit('email.broadcast.updated', { subjectId: before.id, data: { broadcast } });
    return { broadcast, readiness };
  },
});
