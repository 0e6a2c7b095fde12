import { expect } from 'chai';
import { usePrices } from '#test/billing/prices.js';
import { activeAutomation, runOf, signUp } from '#test/email/automation/support.js';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { mobile, subscribe, texter } from '../broadcast/support.js';
import { useTexts } from '../support.js';

describe('The price of texts of automations', () => {
  needProducts('billing');
  const tiers = [
    [1, '1'],
    [null, '0.5'],
  ] as const;
  const { platform } = useTexts(usePrices([{ meter: 'sms.segment', tiers }]));

  it('is what each cost when it was accepted: in the tier that it is in itself', async () => {
    const account = await texter(platform);
    const { svc } = account;
    const [contactId = ''] = await subscribe(account, [mobile(81)]);
    const step = { type: 'send', channel: 'sms', template: 'sale', topic: 'offers' };
    const { id: automationId } = await activeAutomation(svc, { steps: [step, step] });
    await signUp(svc, contactId);
    await eventually(async () => (await runOf(svc, automationId)).run.endedAt !== null, 'the run has ended');
    await platform.settled();
    const { messages } = await svc.call('sms.message.list', { automationId });
    const inOrder = messages.map(({ price }) => price?.amount).reverse();
    expect(inOrder).to.deep.equal(['1.00', '0.50']);
  });
});
