import { expect } from 'chai';
import { startStripe } from '#test/support/stripe.js';
import { minutes } from '#test/support/clock.js';
import { addCard, expectMails, issueInvoice, useStripe } from './support.js';

describe('billing.invoice.pay', () => {
  const { platform, stripe } = useStripe();

  /** An account whose invoice could not be collected, and which has a card. */
  const unpaid = async (card: string) => {
    const account = await platform.account();
    await addCard(account, stripe(), card);
    const period = await issueInvoice(platform, account);
    return { ...account, period, charges: stripe().charges().length };
  };
  const declined = '4000000000000341';

  it('collects an open invoice now, and refuses one that is paid', async () => {
    const { svc, live, period, charges } = await unpaid(declined);
    stripe().behave('succeeds');
    const { invoice } = await svc.call('billing.invoice.pay', { period });
    expect(invoice).to.deep.include({ period, status: 'paid', total: '14.00' });
    expect(invoice.lines).to.have.length(1);
    expect(stripe().charges()).to.have.length(charges + 1);
    expect(await svc.refusal('billing.invoice.pay', { period })).to.include({ status: 409, code: 'invoice_not_open' });
    const updated = (await platform.events(live)).findLast(({ type }) => type === 'billing.payment.updated');
    expect(updated?.data['invoice']).to.deep.include({ period, status: 'paid' });
    const { activities } = await svc.call('account.activity.list', {});
    expect(activities[0]).to.deep.include({ id: updated?.activityId, operation: 'billing.invoice.pay' });
    expect(await svc.refusal('billing.invoice.pay', { period: '2020-01' })).to.include({ code: 'not_found' });
    const draft = platform.clock.now().toISOString().slice(0, 7);
    const early = await svc.refusal('billing.invoice.pay', { period: draft });
    expect(early).to.include({ status: 409, code: 'invoice_not_open' });
    expect(early.message).to.contain(`${draft} is a draft`);
    const next = `${Number(draft.slice(0, 4)) + 1}-01`;
    expect(await svc.refusal('billing.invoice.pay', { period: next })).to.include({ code: 'not_found' });
    await platform.settled();
    expect(stripe().charges()).to.have.length(charges + 1);
  });

  it('says why it failed, and may be called again with the same Idempotency-Key', async () => {
    const { svc, live, period, charges } = await unpaid(declined);
    const failed = await svc.refusal('billing.invoice.pay', { period }, { idempotencyKey: 'pay-1' });
    expect(failed).to.include({ status: 409, code: 'payment_failed' });
    expect(failed.message).to.equal('The payment provider could not collect the payment: Your card was declined.');
    expect((await platform.events(live)).map(({ type }) => type)).to.include('billing.payment.failed');
    stripe().behave('succeeds');
    const paid = await svc.call('billing.invoice.pay', { period }, { idempotencyKey: 'pay-1' });
    expect(paid.invoice.status).to.equal('paid');
    expect(stripe().charges()).to.have.length(charges + 1);
  });

  it('asks what became of an attempt that is not decided, instead of charging again', async () => {
    const { svc, period, charges } = await unpaid('4000000000000077');
    const intents = stripe().intents.size;
    const confirmed = (): number => stripe().requests.filter((request) => request.endsWith('/confirm')).length;
    const confirmedBefore = confirmed();
    expect((await svc.call('billing.invoice.pay', { period })).invoice.status).to.equal('open');
    expect(confirmed()).to.equal(confirmedBefore);
    stripe().decide('succeeded');
    expect((await svc.call('billing.invoice.pay', { period })).invoice.status).to.equal('paid');
    expect(stripe().intents.size).to.equal(intents);
    expect(stripe().charges()).to.have.length(charges + 1);
  });

  it('charges once where the provider’s answer was lost', async () => {
    const { svc, period, charges } = await unpaid(declined);
    stripe().behave('succeeds');
    stripe().fail({ path: /confirm$/, breaks: 'after', times: 2 });
    const lost = await svc.refusal('billing.invoice.pay', { period });
    expect(lost).to.include({ code: 'payment_failed' });
    expect(lost.message).to.include('not known yet');
    expect((await svc.call('billing.invoice.pay', { period })).invoice.status).to.equal('paid');
    expect(stripe().charges()).to.have.length(charges + 1);
  });

  it('charges once where ten calls race', async () => {
    const { svc, period, charges } = await unpaid(declined);
    stripe().behave('succeeds');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => svc.raw('/billing/invoice/pay', JSON.stringify({ period }))),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 409)).to.have.length(9);
    expect(stripe().charges()).to.have.length(charges + 1);
  });

  it('names the page on which an owner confirms a payment', async () => {
    const { svc, period } = await unpaid('4000002500003155');
    const refused = await svc.refusal('billing.invoice.pay', { period });
    expect(refused).to.include({ code: 'payment_failed' });
    expect(refused.details['url']).to.match(/\/billing\/invoice\?token=/);
    expect((await svc.call('billing.invoice.get', { period })).invoice.lastFailure?.reason).to.equal(
      'The bank requires confirmation.',
    );
  });

  it('leaves a payment that an owner may be confirming at this moment as it is', async () => {
    const account = await unpaid('4000002500003155');
    const { svc, live, period } = account;
    const intents = stripe().intents.size;
    const cancelled = (): number => [...stripe().intents.values()].filter(({ status }) => status === 'canceled').length;
    const cancelledBefore = cancelled();
    const failures = async (): Promise<number> =>
      (await platform.events(live)).filter(({ type }) => type === 'billing.payment.failed').length;
    const failed = await failures();
    for (let count = 0; count < 2; count += 1)
      expect(await svc.refusal('billing.invoice.pay', { period })).to.include({ code: 'payment_failed' });
    expect(stripe().intents.size).to.equal(intents);
    expect(cancelled()).to.equal(cancelledBefore);
    expect(await failures()).to.equal(failed);
    await expectMails(platform, account, ['billing.action_required']);

    // With another method there is nothing left to confirm.
    platform.clock.advance(minutes(1));
    await addCard(account, stripe());
    await platform.settled();
    expect((await svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
    expect(cancelled()).to.equal(cancelledBefore + 1);
  });

  it('says what to do where the deployment was connected to another account of Stripe meanwhile', async () => {
    const { svc, period } = await unpaid('4000002500003155');
    const other = await startStripe('sk_test_51Other');
    try {
      await platform.restart({ SVC_PAYMENT_URL: other.paymentUrl });
      const refused = await svc.refusal('billing.invoice.pay', { period });
      expect(refused).to.include({ status: 409, code: 'payment_failed' });
      expect(refused.fix).to.contain('billing.payment.setup');
      platform.clock.advance(minutes(1));
      await addCard({ svc }, other);
      await platform.settled();
      expect((await svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
      expect(other.charges()).to.have.length(1);
    } finally {
      await platform.restart({});
      await other.close();
    }
  });

  it('needs a payment method', async () => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    expect(await account.svc.refusal('billing.invoice.pay', { period })).to.include({
      status: 409,
      code: 'payment_method_missing',
    });
  });
});
