import { defineOperation } from '#core/kernel/operation.js';
import { object, optional } from '#core/kernel/schema/schema.js';
import { applySharedInput, draftRow, emptyBroadcast } from '#core/messaging/broadcasts/input.js';
import { presentShared } from '#core/messaging/broadcasts/present.js';
import { broadcastInput, BroadcastReadiness } from '#core/messaging/broadcasts/resources.js';
import { newBroadcastFields } from '#core/messaging/broadcasts/audit.js';
import { countLater } from '#core/messaging/broadcasts/readiness.js';
import { newId } from '#core/runtime/id.js';
import { recipients } from '#plugins/audience/ports.js';
import { exampleBroadcast, exampleReadiness } from '../../broadcasts/examples.js';
import { shownReadiness } from '../../broadcasts/readiness.js';
import { SmsBroadcast } from '../../broadcasts/resources.js';
import { broadcasts, broadcastTables } from '../../tables/broadcast.js';

const fields = broadcastInput('sms');

export default defineOperation({
  name: 'sms.broadcast.create',
  summary: 'Creates a draft SMS broadcast and returns its readiness problems.',
  description:
    'An unknown topic or template and a missing number or registration are readiness problems, never errors. Nothing is sent before sms.broadcast.send.',
  keywords: 'campaign bulk announcement marketing texting',
  access: 'secret',
  requires: 'audience',
  mayTakeLong: () => true,
  input: object({
    name: fields.name,
    template: fields.template,
    topic: fields.topic,
    segmentId: optional(fields.segmentId),
    variables: optional(fields.variables),
    scheduledAt: optional(fields.scheduledAt),
  }),
  output: object({ broadcast: SmsBroadcast, readiness: BroadcastReadiness }),
  events: ['sms.broadcast.created'],
  example: {
    input: {
      name: exampleBroadcast.name,
      template: exampleBroadcast.template,
      topic: exampleBroadcast.topic,
      variables: { percent: 20 },
    },
    output: { broadcast: exampleBroadcast, readiness: exampleReadiness },
  },

  /** Before anything is locked: counting a million contacts takes a while. */
  async prepare(input, context) {
    const { environment } = context.caller;
    const now = context.clock.now();
    const given = await applySharedInput(context.use(recipients), environment.id, emptyBroadcast, input, now);
    const id = newId();
    const { readiness, background } = await shownReadiness(context, environment, { id, status: 'draft', ...given });
    return { id, given, readiness, background };
  },

  async handle(_input, context) {
    const { db, caller, clock, emit, audit, prepared } = context;
    const { id, given, readiness, background } = prepared;
    const row = draftRow(id, caller.environment.id, given, clock.now());
    await db.run(broadcasts.insertRows([{ ...row, reservedSegments: 0 }]));
    await countLater(context, broadcastTables, row, background);
    const broadcast = presentShared(row, null);
    audit({
      subject: { type: 'broadcast', id },
      summary: `Created the broadcast “${row.name}”.`,
      changes: newBroadcastFields(broadcast),
    });
    emit('sms.broadcast.created', { subjectId: id, data: { broadcast } });
    return { broadcast, readiness };
  },
});
