import { expect } from 'chai';
import { activeAutomation, linesOf, runOf, signUp } from '#test/email/automation/support.js';
import { mobile, subscribe, texter } from '#test/sms/broadcast/support.js';
import { useTexts } from '#test/sms/support.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { usageOf } from './metering-support.js';
import { flat, usePrices } from './prices.js';

describe('The spending cap and texts of automations', () => {
  needProducts('audience', 'email');
  const given = useTexts(usePrices([flat('sms.segment', '1', { country: 'DE' })]));
  const { platform } = given;

  it('skips a step that would cross it, says so, and the run goes on', async () => {
    const account = await texter(platform);
    const { svc, live } = account;
    const [contactId = ''] = await subscribe(account, [mobile(71)]);
    await svc.call('billing.cap.set', { amount: '1' });
    const step = { type: 'send', channel: 'sms', template: 'sale', topic: 'offers' };
    const { id: automationId } = await activeAutomation(svc, { steps: [step, step] });
    await signUp(svc, contactId);
    await eventually(async () => (await runOf(svc, automationId)).run.endedAt !== null, 'the run has ended');
    expect(linesOf(await runOf(svc, automationId))).to.deep.equal([
      'steps[0] send sent',
      'steps[1] send suppressed spending_cap_reached',
    ]);
    await platform.settled();
    const events = (await platform.events(live)).map(({ type }) => type);
    expect(events.filter((type) => type === 'sms.automation.suppressed')).to.have.length(1);
    expect(events.filter((type) => type === 'billing.cap.reached')).to.have.length(1);
    expect(await usageOf(svc)).to.deep.equal(['sms.segment 1 1.00']);
    expect(given.twilio.texts.filter(({ to }) => to === mobile(71))).to.have.length(1);
  });
});
