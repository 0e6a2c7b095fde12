import { expect } from 'chai';
import { activeAutomation, linesOf, runOf, signUp, wait } from '#test/email/automation/support.js';
import { hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { itNeeding } from '#test/support/products.js';
import { sqlId } from '#test/email/support.js';
import { mobile, reached, sendBroadcast, shown, subscribe, texter } from '../broadcast/support.js';
import { useTexts } from '../support.js';
import { deliver, numberOf } from './support.js';

describe('STOP while texts are on their way', () => {
  const given = useTexts();
  const { platform } = given;
  const textsTo = (number: string): string[] =>
    given.twilio.texts.filter(({ to }) => to === number).map(({ body }) => body);

  itNeeding('audience')('ends what a running broadcast still has for the sender, and nobody else’s', async () => {
    const account = await texter(platform, 'Winter sale!');
    const { number } = await numberOf(account);
    await subscribe(account, [mobile(21), mobile(22), mobile(23)]);
    given.twilio.refusals.set('*', { status: 429, code: 20_429, message: 'Too Many Requests' });
    const broadcastId = await sendBroadcast(account);
    const own = `message_id IN (SELECT id FROM sms_message WHERE broadcast_id = ${sqlId(broadcastId)})`;
    await eventually(async () => {
      const { counts } = await shown(account, broadcastId);
      return counts?.sending === 0 && (await platform.count('sms_attempt', own)) === 3;
    }, 'each text was tried once');
    given.twilio.refusals.clear();

    await deliver(given, { from: mobile(22), to: number, body: 'STOP' });
    platform.clock.advance(hours(1));
    await reached(account, broadcastId, 'sent');

    const { counts } = await shown(account, broadcastId);
    expect(counts).to.deep.include({ recipients: 3, sent: 2, suppressed: 1, queued: 0 });
    expect(textsTo(mobile(22))).not.to.include('Winter sale!');
    for (const other of [mobile(21), mobile(23)]) expect(textsTo(other)).to.include('Winter sale!');
  });

  itNeeding('audience', 'email')(
    'ends what a waiting automation would send to the sender; the run goes on',
    async () => {
      const account = await texter(platform, 'Do you like it?');
      const { svc } = account;
      const { number } = await numberOf(account);
      const [contactId = ''] = await subscribe(account, [mobile(31)]);
      const send = { type: 'send', channel: 'sms', template: 'sale', topic: 'offers' };
      const { id: automationId } = await activeAutomation(svc, { steps: [wait(3_600), send] });
      await signUp(svc, contactId);

      await deliver(given, { from: mobile(31), to: number, body: 'STOP' });
      platform.clock.advance(hours(2));
      await eventually(async () => (await runOf(svc, automationId)).run.endedAt !== null, 'the run has ended');

      const run = await runOf(svc, automationId);
      expect(linesOf(run).at(-1)).to.equal('steps[1] send suppressed suppressed_recipient');
      expect(run.run.status).to.equal('completed');
      expect(textsTo(mobile(31))).not.to.include('Do you like it?');
    },
  );
});
