import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, uuid } from '#core/kernel/schema/schema.js';
import { resumeBroadcast } from '#core/messaging/broadcasts/change-status.js';
import { exampleHeld, exampleSending } from '../../broadcasts/examples.js';
import { emailBroadcasts } from '../../broadcasts/kind.js';
import { requireGoodStanding } from '../../broadcasts/past-due.js';
import { presentOne } from '../../broadcasts/present.js';
import { Broadcast } from '../../broadcasts/resources.js';
import { broadcasts } from '../../tables/broadcast.js';

export default defineOperation({
  name: 'email.broadcast.resume',
  summary: 'Let a held broadcast go on.',
  description:
    'Whatever held it: a pause, bounces, a closure of the account, or a problem at its scheduled time. One that is held because an invoice is overdue goes on by itself once the account has paid. Consent is checked again as each message leaves.',
  keywords: 'newsletter campaign continue release unpause',
  access: 'secret',
  requires: 'audience',
  impact: { retrySafe: true },
  input: object({ broadcastId: uuid('The broadcast to release.') }),
  output: object({ broadcast: Broadcast, resumedMessages: count('Messages that this call released.') }),
  errors: ['broadcast_not_held', 'billing_past_due', 'account_closed'],
  events: ['email.broadcast.resumed'],
  example: {
    input: { broadcastId: exampleHeld.id },
    output: { broadcast: exampleSending, resumedMessages: 912 },
  },

  async handle({ broadcastId }, context) {
    const { db, caller, fail, emit, audit } = context;
    if (caller.environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    await requireGoodStanding(context, caller.environment, 'email.broadcast.resume');
    const before = await lockOwned(db, broadcasts, caller, broadcastId);
    const isSending = before.status === 'sending';
    if (before.status !== 'held' && !isSending)
      throw fail.broadcast_not_held({ channel: 'email', status: before.status });
    audit({
      subject: { type: 'broadcast', id: before.id },
      summary: `Resumed the broadcast “${before.name}”.`,
      changes: isSending ? [] : [{ field: 'status', from: 'held', to: 'sending' }],
      unchanged: `the broadcast “${before.name}” was being sent already.`,
    });
    if (isSending) return { broadcast: await presentOne(db, before), resumedMessages: 0 };
    const held = (await presentOne(db, before)).counts?.held ?? 0;
    const row = await resumeBroadcast(context, emailBroadcasts, before);
    const broadcast = await presentOne(db, row);
    emit('email.broadcast.resumed', { subjectId: row.id, data: { broadcast } });
    return { broadcast, resumedMessages: held };
  },
});
