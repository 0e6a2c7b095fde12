import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { resumeHeld } from '#core/messaging/broadcasts/operations.js';
import { requireGoodStanding } from '#plugins/billing/ports.js';
import { exampleHeld, exampleSending } from '../../broadcasts/examples.js';
import { smsKit } from '../../broadcasts/kind.js';
import { SmsBroadcast } from '../../broadcasts/resources.js';

export default defineOperation({
  name: 'sms.broadcast.resume',
  summary: 'Releases the held messages of an SMS broadcast.',
  description:
    'Resumes a broadcast no matter why it is held: a pause, a closed account, the spending cap, or a problem at its scheduled time. A broadcast that had not started is scheduled again for its time, or for now if that time has passed. A broadcast that is held because of an overdue invoice resumes by itself after payment; raising the spending cap resumes nothing. Consent and quiet hours are checked again as each message is sent.',
  keywords: 'campaign continue release unpause',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true },
  input: object({ broadcastId: uuid('The broadcast to resume.') }),
  output: object({ broadcast: SmsBroadcast, resumedMessages: count('Texts that this call released.') }),
  errors: ['broadcast_not_held', 'billing_past_due', 'account_closed'],
  events: ['sms.broadcast.resumed'],
  example: {
    input: { broadcastId: exampleHeld.id },
    output: { broadcast: exampleSending, resumedMessages: 608 },
  },

  async handle({ broadcastId }, context) {
    const { environment } = context.caller;
    if (environment.closedAt) throw context.fail.account_closed({ reopen: 'account.reopen' });
    await requireGoodStanding(context, environment, 'sms.broadcast.resume');
    const { broadcast, messages, hasChanged } = await resumeHeld(context, smsKit, broadcastId);
    if (hasChanged) context.emit('sms.broadcast.resumed', { subjectId: broadcastId, data: { broadcast } });
    return { broadcast, resumedMessages: messages };
  },
});
