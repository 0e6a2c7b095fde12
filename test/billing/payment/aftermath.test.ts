import { expect } from 'chai';
import { followPayments } from '#plugins/billing/payments/aftermath/follow.js';
import { days } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import type { Intent } from '#test/support/stripe.js';
import { addCard, expectMails, issueInvoice, useStripe } from './support.js';

describe('A payment that is refunded, disputed or returned after it succeeded', () => {
  const { platform, stripe } = useStripe();
  before(() => stripe().follow(platform.clock));

  async function paid(): Promise<{ account: TestAccount; period: string; intent: Intent }> {
    const account = await platform.account();
    await addCard(account, stripe());
    const period = await issueInvoice(platform, account);
    await platform.settled();
    const intent = [...stripe().intents.values()].at(-1);
    if (!intent) throw new Error('Nothing was collected.');
    expect(await shown(account, period)).to.include({ status: 'paid' });
    return { account, period, intent };
  }
  const shown = async ({ svc }: TestAccount, period: string) =>
    (await svc.call('billing.invoice.get', { period })).invoice;
  const eventsOf = async ({ live }: TestAccount, type: string): Promise<number> =>
    (await platform.events(live)).filter((each) => each.type === type).length;
  /** Reads what Stripe tells, twice: the second time changes nothing. */
  const follow = async (): Promise<void> => {
    for (let times = 0; times < 2; times += 1) await followPayments(platform.running.services);
    await platform.settled();
  };
  const summaries = async ({ svc }: TestAccount): Promise<string[]> =>
    (await svc.call('account.activity.list', {})).activities.map(({ summary }) => summary);

  it('a refund is shown on the invoice, which stays paid, and the owners are told of each', async () => {
    const { account, period, intent } = await paid();
    await follow();
    expect(await shown(account, period)).to.include({ status: 'paid', refunded: '0.00' });
    stripe().aftermath.refund(intent.id, 400);
    await follow();
    expect(await shown(account, period)).to.include({ status: 'paid', refunded: '4.00' });
    stripe().aftermath.refund(intent.id, 1400);
    await follow();
    expect(await shown(account, period)).to.include({ status: 'paid', refunded: '14.00' });
    await expectMails(platform, account, ['billing.receipt', 'billing.refund', 'billing.refund']);
    expect(await eventsOf(account, 'billing.payment.updated')).to.equal(4);
    expect((await summaries(account))[0]).to.contain('has refunded 14.00 USD of invoice');
    // A refund that failed.
    stripe().aftermath.refund(intent.id, 400);
    await follow();
    expect(await shown(account, period)).to.include({ refunded: '4.00' });
    expect((await account.svc.call('billing.get', {})).standing).to.equal('good');
  });

  it('a dispute opens the invoice again: it is not collected by itself, and is past due after a week', async () => {
    const { account, period, intent } = await paid();
    platform.clock.advance(days(60));
    stripe().aftermath.dispute(intent.id, 'needs_response');
    await follow();
    const before = stripe().charges().length;
    const open = await shown(account, period);
    expect(open).to.include({ status: 'open', paidAt: null });
    expect(open.lastFailure?.reason).to.contain('The bank reversed the payment.').and.to.contain('fraudulent');
    expect(await eventsOf(account, 'billing.payment.failed')).to.equal(1);
    expect((await summaries(account))[0]).to.contain('The bank reversed a payment of invoice');
    expect((await account.svc.call('billing.get', {})).standing).to.equal('good');
    platform.clock.advance(days(8));
    await platform.settled();
    expect(await shown(account, period)).to.include({ status: 'past_due' });
    expect(stripe().charges()).to.have.length(before);
    await expectMails(platform, account, ['billing.receipt', 'billing.payment_taken_back', 'billing.past_due']);
    // The bank decides for the deployment.
    stripe().aftermath.dispute(intent.id, 'won');
    await follow();
    expect(await shown(account, period)).to.include({ status: 'paid' });
    expect((await account.svc.call('billing.get', {})).standing).to.equal('good');
  });

  it('a returned debit can be paid again by the owner, once', async () => {
    const { account, period, intent } = await paid();
    stripe().aftermath.dispute(intent.id, 'lost', 'insufficient_funds');
    await follow();
    expect(await shown(account, period)).to.include({ status: 'open' });
    const before = stripe().charges().length;
    expect((await account.svc.call('billing.invoice.pay', { period })).invoice.status).to.equal('paid');
    await follow();
    expect(await shown(account, period)).to.include({ status: 'paid' });
    expect(stripe().charges()).to.have.length(before + 1);
  });

  it('a payment that fails after it had succeeded opens the invoice again, and an inquiry of the bank does not', async () => {
    const asked = await paid();
    stripe().aftermath.dispute(asked.intent.id, 'warning_needs_response');
    const failed = await paid();
    failed.intent.status = 'requires_payment_method';
    failed.intent.problem = { code: 'payment_intent_payment_attempt_failed', message: 'The debit was returned.' };
    stripe().aftermath.note('payment_intent.payment_failed', failed.intent.id);
    await follow();
    expect(await shown(asked.account, asked.period)).to.include({ status: 'paid' });
    expect(await shown(failed.account, failed.period)).to.include({ status: 'open' });
  });

  it('is read again where Stripe did not answer, and payments of others in the same account are left alone', async () => {
    const { account, period, intent } = await paid();
    stripe().aftermath.dispute('pi_of_another_shop', 'lost');
    stripe().aftermath.refund(intent.id, 100);
    stripe().fail({ path: /payment_intents\/pi_\w+$/, status: 500, times: 2 });
    await followPayments(platform.running.services);
    expect(await shown(account, period)).to.include({ refunded: '0.00' });
    await follow();
    expect(await shown(account, period)).to.include({ refunded: '1.00' });
  });
});
