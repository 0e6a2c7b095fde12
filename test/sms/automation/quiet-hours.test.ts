import { expect } from 'chai';
import { activeAutomation, linesOf, runOf, signUp } from '#test/email/automation/support.js';
import { minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { mobile, subscribe, texter } from '../broadcast/support.js';
import { quietNow } from '../quiet-hours/support.js';
import { useTexts } from '../support.js';

const send = { type: 'send', channel: 'sms', template: 'sale', topic: 'offers' };

describe('Quiet hours of automation sends', () => {
  const given = useTexts();
  const { platform } = given;
  const countTo = (number: string): number => given.twilio.texts.filter(({ to }) => to === number).length;

  it('let each text wait for its recipient’s morning, by the contact’s own zone; the run goes on meanwhile', async () => {
    const account = await texter(platform);
    const { svc } = account;
    await svc.call('sms.settings.set', { quietHours: quietNow(platform, 'Europe/Berlin') });
    const [sleeping = ''] = await subscribe(account, [mobile(61)]);
    const [awake = ''] = await subscribe(account, [mobile(62)], { timeZone: 'Pacific/Auckland' });
    const { id: automationId } = await activeAutomation(svc, { steps: [send] });
    await signUp(svc, sleeping);
    await eventually(async () => (await runOf(svc, automationId)).run.endedAt !== null, 'the run has ended');
    const run = await runOf(svc, automationId);
    expect(linesOf(run)).to.deep.equal(['steps[0] send sent']);
    await signUp(svc, awake);
    await eventually(() => countTo(mobile(62)) === 1, 'the text to Auckland arrived');
    await platform.settled();
    platform.clock.advance(minutes(60));
    await platform.settled();
    expect(countTo(mobile(61))).to.equal(0);
    const messageId = run.history[0]?.messageId ?? '';
    expect((await svc.call('sms.message.get', { messageId })).message.status).to.equal('queued');
    platform.clock.advance(minutes(61));
    await eventually(() => countTo(mobile(61)) === 1, 'the text arrived in the morning');
  });

  it('end with nothing for somebody who opts out while a text waits', async () => {
    const account = await texter(platform);
    const { svc } = account;
    await svc.call('sms.settings.set', { quietHours: quietNow(platform, 'Europe/Berlin') });
    const [contactId = ''] = await subscribe(account, [mobile(63)]);
    const { id: automationId } = await activeAutomation(svc, { steps: [send] });
    await signUp(svc, contactId);
    await eventually(async () => (await runOf(svc, automationId)).run.endedAt !== null, 'the run has ended');
    await svc.call('audience.consent.revoke', { contactId, topic: 'offers', channel: 'sms', source: 'call' });
    platform.clock.advance(minutes(121));
    const messageId = (await runOf(svc, automationId)).history[0]?.messageId ?? '';
    await eventually(
      async () => (await svc.call('sms.message.get', { messageId })).message.status === 'suppressed',
      'the text is suppressed',
    );
    expect(countTo(mobile(63))).to.equal(0);
  });
});
