import { defineOperation } from '#core/kernel/operation.js';
import { object, optional } from '#core/kernel/schema/schema.js';
import { draftRow } from '#core/messaging/broadcasts/input.js';
import { newBroadcastFields } from '#core/messaging/broadcasts/audit.js';
import { countLater } from '#core/messaging/broadcasts/readiness.js';
import { newId } from '#core/runtime/id.js';
import { exampleBroadcast, exampleReadiness } from '../../broadcasts/examples.js';
import { applyInput, emptyBroadcast } from '../../broadcasts/input.js';
import { presentBroadcast } from '../../broadcasts/present.js';
import { shownReadiness } from '../../broadcasts/readiness.js';
import { Broadcast, broadcastFields, BroadcastReadiness } from '../../broadcasts/resources.js';
import { broadcasts, broadcastTables, type BroadcastRow } from '../../tables/broadcast.js';

export default defineOperation({
  name: 'email.broadcast.create',
  summary: 'Creates a draft broadcast and returns its readiness problems.',
  description:
    'An unknown topic or template and an unverified sender are readiness problems, never errors. Nothing is sent before email.broadcast.send.',
  keywords: 'newsletter campaign mailing bulk announcement marketing',
  access: 'secret',
  requires: 'audience',
  mayTakeLong: () => true,
  input: object({
    name: broadcastFields.name,
    template: broadcastFields.template,
    from: broadcastFields.from,
    topic: broadcastFields.topic,
    subject: optional(broadcastFields.subject),
    segmentId: optional(broadcastFields.segmentId),
    variables: optional(broadcastFields.variables),
    scheduledAt: optional(broadcastFields.scheduledAt),
  }),
  output: object({ broadcast: Broadcast, readiness: BroadcastReadiness }),
  events: ['email.broadcast.created'],
  example: {
    input: {
      name: exampleBroadcast.name,
      template: exampleBroadcast.template,
      from: exampleBroadcast.from,
      topic: exampleBroadcast.topic,
      variables: { month: 'November' },
    },
    output: { broadcast: exampleBroadcast, readiness: exampleReadiness },
  },

  /** Before anything is locked: counting a million contacts takes a while. */
  async prepare(input, context) {
    const { environment } = context.caller;
    const fields = await applyInput(context, environment.id, emptyBroadcast, input);
    const id = newId();
    const { readiness, background } = await shownReadiness(context, environment, { id, status: 'draft', ...fields });
    return { id, fields, readiness, background };
  },

  async handle(_input, context) {
    const { db, caller, clock, emit, audit, prepared } = context;
    const { id, fields, readiness, background } = prepared;
    const row: BroadcastRow = {
      ...draftRow(id, caller.environment.id, fields, clock.now()),
      fromAddress: fields.fromAddress,
      subject: fields.subject,
      fromName: null,
      replyTo: null,
      legalAddress: null,
    };
    await db.run(broadcasts.insertRows([row]));
    await countLater(context, broadcastTables, row, background);
    const broadcast = presentBroadcast(row, null);
    audit({
      subject: { type: 'broadcast', id: row.id },
      summary: `Created the broadcast “${row.name}”.`,
      changes: newBroadcastFields(broadcast, ['from', 'subject']),
    });
    emit('email.broadcast.created', { subjectId: row.id, data: { broadcast } });
    return { broadcast, readiness };
  },
});
