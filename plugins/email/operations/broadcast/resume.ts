import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { resumeHeld } from '#core/messaging/broadcasts/operations.js';
import { requireGoodStanding } from '#plugins/billing/ports.js';
import { exampleHeld, exampleSending } from '../../broadcasts/examples.js';
import { emailKit } from '../../broadcasts/kind.js';
import { Broadcast } from '../../broadcasts/resources.js';

export default defineOperation({
  name: 'email.broadcast.resume',
  summary: 'Releases the held messages of a broadcast.',
  description:
    'Resumes a broadcast no matter why it is held: a pause, bounces, a closed account, the spending cap, a problem at its scheduled time, or a sender whose mail cannot be signed. A broadcast that had not started is scheduled again for its time, or for now if that time has passed. A broadcast that is held because of an overdue invoice resumes by itself after payment; raising the spending cap resumes nothing. Consent is checked again as each message is sent.',
  keywords: 'newsletter campaign continue release unpause',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true },
  input: object({ broadcastId: uuid('The broadcast to resume.') }),
  output: object({ broadcast: Broadcast, resumedMessages: count('Messages that this call released.') }),
  errors: ['broadcast_not_held', 'billing_past_due', 'account_closed'],
  events: ['email.broadcast.resumed'],
  example: {
    input: { broadcastId: exampleHeld.id },
    output: { broadcast: exampleSending, resumedMessages: 912 },
  },

  async handle({ broadcastId }, context) {
    const { environment } = context.caller;
    if (environment.closedAt) throw context.fail.account_closed({ reopen: 'account.reopen' });
    await requireGoodStanding(context, environment, 'email.broadcast.resume');
    const { broadcast, messages, hasChanged } = await resumeHeld(context, emailKit, broadcastId);
    if (hasChanged) context.emit('email.broadcast.resumed', { subjectId: broadcastId, data: { broadcast } });
    return { broadcast, resumedMessages: messages };
  },
});
