import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { markAudienceReferenced } from '#core/messaging/broadcasts/audience.js';
import { sendDraft } from '#core/messaging/broadcasts/send-draft.js';
import { lockReadyDraft } from '#core/messaging/broadcasts/ready-draft.js';
import { markTemplateReferenced } from '#core/messaging/templates/references.js';
import { audienceReferences } from '#plugins/audience/ports.js';
import { metering, requireGoodStanding } from '#plugins/billing/ports.js';
import { exampleSending } from '../../broadcasts/examples.js';
import { broadcastsOfSms } from '../../broadcasts/channel.js';
import { checkReadiness } from '../../broadcasts/readiness.js';
import { expectedUsage } from '../../broadcasts/metering.js';
import { SmsBroadcast } from '../../broadcasts/resources.js';
import { broadcasts } from '../../tables/broadcast.js';
import { smsTemplates } from '../../templates/channel.js';
import { smsReferences } from '../../tables/reference.js';

export default defineOperation({
  name: 'sms.broadcast.send',
  summary:
    'Sends a draft, now or at its scheduledAt, to contacts in its segment with granted SMS consent for its topic.',
  description:
    'If the settings enable quiet hours (sms.settings.set), messages are sent only outside the recipient’s quiet hours. The messages are created and sent in the background; sms.broadcast.get shows the progress. Suppressed contacts are left out, and consent is checked again as each message is sent. This call fixes the template’s version; the audience is determined when sending starts. While the account is past due, a running or scheduled broadcast is held; it continues after payment.',
  keywords: 'campaign start launch schedule deliver publish',
  access: 'secret',
  requires: 'audience',
  impact: { destructive: true, billable: true },
  mayTakeLong: () => true,
  followUp: { operation: 'sms.broadcast.get', input: { broadcastId: 'broadcast.id' } },
  input: object({ broadcastId: uuid('The draft to send.') }),
  output: object({
    broadcast: SmsBroadcast,
    recipients: count(
      'How many contacts would receive it now. If counting takes longer than a call, this is a lower bound or the last count in the background: the broadcast stays scheduled until a worker has counted it, and is held if the audience is too large.',
    ),
  }),
  errors: [
    'broadcast_not_draft',
    'broadcast_not_ready',
    'audience_too_large',
    'spending_cap_reached',
    'billing_past_due',
    'account_closed',
    'topic_archived',
    'template_not_published',
  ],
  events: ['sms.broadcast.queued', 'sms.broadcast.paused', 'sms.queued', 'sms.sent', 'sms.failed', 'sms.suppressed'],
  example: {
    input: { broadcastId: exampleSending.id },
    output: { broadcast: exampleSending, recipients: 800 },
  },

  /** Before anything is locked: counting a million contacts takes a while. */
  async prepare({ broadcastId }, context) {
    const { environment } = context.caller;
    const row = await findOwned(context.db, broadcasts, context.caller, broadcastId);
    return { row, checked: await checkReadiness(context, environment, row) };
  },

  async handle(_input, context) {
    const { db, caller, fail, emit, prepared } = context;
    const { environment } = caller;
    if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    await requireGoodStanding(context, environment, 'sms.broadcast.send');
    const found = await lockReadyDraft(context, broadcastsOfSms.kind, prepared, (row) =>
      checkReadiness(context, environment, row),
    );
    const { draft, recipients, isLater, isCounted } = found;
    const { reserved, recipients: expected } = found.checked;
    const wanted = isLater ? [] : expectedUsage(draft.id, expected, reserved);
    const refusal = await context.use(metering).reserve(environment, wanted);
    if (refusal) return refusal;
    // The worker reserves again once it has counted them all.
    if (!isCounted) await context.use(metering).returnReserved(draft.id);

    const usage = { type: 'broadcast', id: draft.id };
    await markAudienceReferenced(context.use(audienceReferences), draft);
    const used = { environmentId: environment.id, template: draft.template };
    await markTemplateReferenced(db, smsTemplates, smsReferences, used, usage);

    await db.run(broadcasts.updateRow({ id: draft.id }, { reservedSegments: reserved }));
    const broadcast = await sendDraft(context, broadcastsOfSms, draft, found);
    emit('sms.broadcast.queued', { subjectId: draft.id, data: { broadcast } });
    return { broadcast, recipients };
  },
});
