import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { markAudienceReferenced } from '#core/messaging/broadcasts/audience.js';
import { sendDraft } from '#core/messaging/broadcasts/send-draft.js';
import { lockReadyDraft } from '#core/messaging/broadcasts/ready-draft.js';
import { audienceReferences } from '#plugins/audience/ports.js';
import { metering, requireGoodStanding } from '#plugins/billing/ports.js';
import { exampleSending } from '../../broadcasts/examples.js';
import { broadcastsOfEmail } from '../../broadcasts/channel.js';
import { checkReadiness } from '../../broadcasts/readiness.js';
import { Broadcast } from '../../broadcasts/resources.js';
import { findSender, legalAddressMissing } from '../../senders/sender.js';
import { markDomainReferenced } from '../../senders/verified.js';
import { broadcastUsage } from '../../messages/metering.js';
import { broadcasts } from '../../tables/broadcast.js';
import { markTemplateReferenced } from '../../templates/references.js';

export default defineOperation({
  name: 'email.broadcast.send',
  summary:
    'Sends a draft, now or at its scheduledAt, to contacts that have granted its topic by email, are in its segment and are not suppressed.',
  description:
    'The messages are created and sent in the background; email.broadcast.get shows the progress. Consent is checked again as each message is sent. This call fixes the template’s version, the sender and the postal address; the audience is determined when sending starts. While the account is past due, a running or scheduled broadcast is held; it continues after payment.',
  keywords: 'newsletter campaign mailing start launch schedule deliver publish',
  access: 'secret',
  requires: 'audience',
  impact: { destructive: true, billable: true },
  mayTakeLong: () => true,
  followUp: { operation: 'email.broadcast.get', input: { broadcastId: 'broadcast.id' } },
  input: object({ broadcastId: uuid('The draft to send.') }),
  output: object({
    broadcast: Broadcast,
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
    'sender_not_verified',
    'topic_archived',
    'template_not_published',
  ],
  events: [
    'email.broadcast.queued',
    'email.broadcast.paused',
    'email.queued',
    'email.sent',
    'email.failed',
    'email.suppressed',
    'email.bounced',
  ],
  example: {
    input: { broadcastId: exampleSending.id },
    output: { broadcast: exampleSending, recipients: 1200 },
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
    await requireGoodStanding(context, environment, 'email.broadcast.send');
    const found = await lockReadyDraft(context, broadcastsOfEmail.kind, prepared, (row) =>
      checkReadiness(context, environment, row),
    );
    const { draft, recipients, isLater, isCounted } = found;
    const wanted = isLater ? [] : broadcastUsage(draft.id, recipients);
    const refusal = await context.use(metering).reserve(environment, wanted);
    if (refusal) return refusal;
    // The worker reserves again once it has counted them all.
    if (!isCounted) await context.use(metering).returnReserved(draft.id);

    const usage = { type: 'broadcast', id: draft.id };
    await markAudienceReferenced(context.use(audienceReferences), draft);
    await markTemplateReferenced(context, environment.id, draft.template, usage);
    await markDomainReferenced(context, environment, draft.fromAddress, usage);

    const sender = await findSender(context, environment.id);
    // It may have been removed since the check; the data that is read here becomes part of every mail.
    if (!sender?.legalAddress)
      throw fail.broadcast_not_ready({
        channel: 'email',
        problems: legalAddressMissing.code,
        details: { problems: [legalAddressMissing] },
      });
    await db.run(
      broadcasts.updateRow(
        { id: draft.id },
        {
          fromName: sender.fromName,
          replyTo: sender.replyTo,
          legalAddress: sender.legalAddress,
        },
      ),
    );
    const broadcast = await sendDraft(context, broadcastsOfEmail, draft, found);
    emit('email.broadcast.queued', { subjectId: draft.id, data: { broadcast } });
    return { broadcast, recipients };
  },
});
