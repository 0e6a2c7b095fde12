import { expect } from 'chai';
import { followSetups } from '#plugins/billing/payments/setup/follow.js';
import { failureText } from '#plugins/billing/failures/failure-text.js';
import { idBytes } from '#core/runtime/id.js';
import { days, hours, minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { addCard, issueInvoice, useStripe } from './support.js';

const [older, newer] = ['4000002500003155', '4242424242424242'];

describe('A payment method whose page is returned from late, or never', () => {
  const { platform, stripe } = useStripe();
  before(() => stripe().follow(platform.clock));
  const lastDigits = async ({ svc }: TestAccount): Promise<string | undefined> =>
    (await svc.call('billing.get', {})).paymentMethod?.last4;
  /** Enters a card on a new page of Stripe, without returning from it. @returns the setup, and where the page leads */
  const enter = async ({ svc }: TestAccount, card: string): Promise<{ setupId: string; back: string }> => {
    const { setupId, url } = await svc.call('billing.payment.setup', {});
    return { setupId, back: await stripe().enterCard(url, card) };
  };
  const typesOf = async ({ live }: TestAccount): Promise<string[]> =>
    (await platform.events(live)).map(({ type }) => type).filter((type) => type.startsWith('billing.payment'));
  const follow = (): Promise<void> => followSetups(platform.running.services);

  it('does not replace one that was entered later', async () => {
    const account = await platform.account();
    const { setupId, back } = await enter(account, older);
    platform.clock.advance(minutes(1));
    await addCard(account, stripe(), newer);
    const events = await typesOf(account);
    const page = await (await fetch(back)).text();
    expect(page).to.contain(failureText('en', 'method_superseded', ''));
    expect(await lastDigits(account)).to.equal('4242');
    expect(await account.svc.call('billing.payment.confirm', { setupId })).to.deep.equal({
      paymentMethod: null,
      status: 'failed',
    });
    expect(await typesOf(account), 'the present one works').to.deep.equal(events);
  });

  it('does not replace one that a version before this one stored', async () => {
    const account = await platform.account();
    const { back } = await enter(account, older);
    platform.clock.advance(minutes(1));
    await addCard(account, stripe(), newer);
    await platform.running.services.database.run(
      'UPDATE billing_account SET payment_method_entered_at = NULL WHERE account_id = ?',
      [idBytes(account.accountId)],
    );
    await fetch(back);
    expect(await lastDigits(account)).to.equal('4242');
    platform.clock.advance(minutes(1));
    await addCard(account, stripe(), older);
    expect(await lastDigits(account)).to.equal('3155');
  });

  it('replaces one that was entered before it, also on a page that was opened later', async () => {
    const account = await platform.account();
    const { url, setupId } = await account.svc.call('billing.payment.setup', {});
    platform.clock.advance(minutes(1));
    await addCard(account, stripe(), older);
    platform.clock.advance(minutes(1));
    await stripe().enterCard(url, newer);
    expect(await account.svc.call('billing.payment.confirm', { setupId })).to.include({ status: 'active' });
    expect(await lastDigits(account)).to.equal('4242');
  });

  it('is stored by a job, once, and unpaid invoices are collected from it', async () => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    await account.svc.call('billing.payment.setup', {});
    const { setupId } = await enter(account, newer);
    stripe().fail({ path: /sessions\//, status: 429 });
    await follow();
    expect(await lastDigits(account), 'Stripe did not answer').to.equal(undefined);
    platform.clock.advance(hours(30));
    for (let times = 0; times < 2; times += 1) await follow();
    await platform.settled();
    expect(await lastDigits(account)).to.equal('4242');
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
    expect(await account.svc.call('billing.payment.confirm', { setupId })).to.include({ status: 'active' });
    expect(await typesOf(account)).to.deep.equal([
      'billing.payment.setup_started',
      'billing.payment.setup_started',
      'billing.payment.updated',
      'billing.payment.updated',
    ]);
  });

  it('is the one that was entered last, if several are stored by the job', async () => {
    const account = await platform.account();
    await enter(account, older);
    platform.clock.advance(minutes(1));
    await enter(account, newer);
    await follow();
    expect(await lastDigits(account)).to.equal('4242');
  });

  it('stays pending for the job if no method was entered: nobody is told that something failed', async () => {
    const account = await platform.account();
    await account.svc.call('billing.payment.setup', {});
    stripe().expireSessions();
    const before = stripe().requests.length;
    await follow();
    expect(stripe().requests.length).to.be.above(before);
    platform.clock.advance(days(4));
    const asked = stripe().requests.length;
    await follow();
    expect(stripe().requests.length, 'and is not asked about for ever').to.equal(asked);
    expect(await typesOf(account)).to.deep.equal(['billing.payment.setup_started']);
  });
});
