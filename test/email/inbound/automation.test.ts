import { expect } from 'chai';
import { contactOf } from '#test/audience/support.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { activeAutomation } from '../automation/support.js';
import { inboundSecret, rawMail, receive } from './support.js';

describe('An automation that received mail triggers', () => {
  needProducts('audience');
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  it('enrols the contact who wrote, and nobody for what a program sent', async () => {
    const account = await platform.account();
    await contactOf(account.svc);
    const automation = await activeAutomation(account.svc, { triggerEvent: 'email.inbound.received', reenter: true });
    const runs = async (): Promise<number> => {
      await platform.settled();
      return (await account.svc.call('email.automation.run.list', { automationId: automation.id })).runs.length;
    };
    await receive(platform, account, rawMail({ 'Message-ID': '<1@x>', 'Auto-Submitted': 'auto-replied' }));
    await receive(platform, account, rawMail({ 'Message-ID': '<2@x>' }), { from: '<>' });
    expect(await runs()).to.equal(0);
    await receive(platform, account, rawMail({ 'Message-ID': '<3@x>' }));
    expect(await runs()).to.equal(1);
  });
});
