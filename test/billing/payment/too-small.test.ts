import { expect } from 'chai';
import { invoiceCommands } from '#plugins/billing/ports.js';
import { periodOf } from '#plugins/billing/periods/months.js';
import { closeMonths, endMonth, meter, operatorOf, usageOf } from '#test/billing/support.js';
import { days } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { addCard, expectMails, issueInvoice, useStripe } from './support.js';

describe('An amount below what Stripe takes in the settlement currency', () => {
  const { platform, stripe } = useStripe({ SVC_TAX_PERCENT: '10' });
  // As on an account of Stripe that settles in a currency whose minimum is 3.00 USD.
  beforeEach(() => stripe().takeAtLeast(300));
  const invoiceOf = async ({ svc }: TestAccount, period: string) =>
    (await svc.call('billing.invoice.get', { period })).invoice;
  const amountsOf = async (account: TestAccount, period: string): Promise<string[]> =>
    (await invoiceOf(account, period)).lines.map(({ amount }) => amount);
  const chargesOf = ({ ownerEmail }: TestAccount): number[] =>
    stripe()
      .charges()
      .filter(({ customer }) => stripe().customers.get(customer)?.email === ownerEmail)
      .map(({ amount }) => amount);
  const endOfMonth = async (): Promise<string> => {
    const period = endMonth(platform);
    await closeMonths(platform);
    return period;
  };
  const withCard = async (): Promise<TestAccount> => {
    const account = await platform.account();
    await addCard(account, stripe());
    return account;
  };
  const asOperator = (number: string | null): Promise<string> =>
    platform.running.services.transaction('npm run billing', ({ use }) =>
      use(invoiceCommands).markVoid(number ?? '', 'Test'),
    );

  it('is on the next invoice once, without a failed payment', async () => {
    const account = await withCard();
    const first = await issueInvoice(platform, account, 2);
    const carried = await invoiceOf(account, first);
    expect(carried).to.include({ status: 'void', isCarriedOver: true, total: '2.20', lastFailure: null });
    const quiet = await endOfMonth();
    expect((await account.svc.refusal('billing.invoice.get', { period: quiet })).code, 'no use').to.equal('not_found');
    const second = await issueInvoice(platform, account, 5);
    expect(await amountsOf(account, second)).to.deep.equal(['5.00', '2.00']);
    expect(await invoiceOf(account, second)).to.include({ status: 'paid', total: '7.70', isCarriedOver: false });
    const third = await issueInvoice(platform, account, 9);
    expect(await amountsOf(account, third)).to.deep.equal(['9.00']);
    expect(chargesOf(account)).to.deep.equal([770, 990]);
    platform.clock.advance(days(25));
    await platform.settled();
    expect((await account.svc.call('billing.get', {})).standing).to.equal('good');
    const types = (await platform.events(account.live)).map(({ type }) => type);
    expect(types).not.to.include('billing.payment.failed');
    await expectMails(platform, account, ['billing.receipt', 'billing.receipt']);
    const { activities } = await account.svc.call('account.activity.list', {
      operation: 'billing.invoice.pay',
    });
    expect(activities.filter(({ summary }) => summary.includes('is carried over'))).to.have.length(1);
    const page = await fetch((await account.svc.call('billing.invoice.get', { period: first })).pageUrl ?? '');
    expect(await page.text())
      .to.include('too small to charge')
      .and.not.include('<button');
  });

  it('is not asked for again where it would be the same amount', async () => {
    const account = await withCard();
    await issueInvoice(platform, account, 2);
    const period = await issueInvoice(platform, account, 0);
    expect((await account.svc.refusal('billing.invoice.get', { period })).code).to.equal('not_found');
    expect(chargesOf(account)).to.deep.equal([]);
  });

  it('is carried over once where ten calls and a worker collect it, and Stripe’s answer was lost', async () => {
    const account = await withCard();
    stripe().fail({ path: /payment_intents$/, breaks: 'after', times: 3 });
    const period = await issueInvoice(platform, account, 2);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => account.svc.raw('/billing/invoice/pay', JSON.stringify({ period }))),
    );
    for (const { status } of answers) expect(status).to.be.oneOf([200, 409]);
    platform.clock.advance(days(1));
    await platform.settled();
    expect(await invoiceOf(account, period)).to.include({ status: 'void', isCarriedOver: true });
    const next = await issueInvoice(platform, account, 5);
    expect(await amountsOf(account, next)).to.deep.equal(['5.00', '2.00']);
    expect(chargesOf(account)).to.deep.equal([770]);
  });

  it('keeps its credits, its reversals, and what it had taken over itself', async () => {
    const account = await withCard();
    await operatorOf(platform).call('billing.credit.record', {
      ...{ accountId: account.accountId, amount: '1', reason: 'Test' },
    });
    const first = await issueInvoice(platform, account, 3);
    expect(await invoiceOf(account, first)).to.include({ status: 'void', credit: '1.00', total: '2.20' });
    expect((await account.svc.call('billing.get', {})).credit.balance.amount, 'used').to.equal('0.00');
    // One of its units is given back: it is worth a dollar, although the invoice is void.
    await meter(platform, account.live, usageOf('email.message', -1));
    const second = await issueInvoice(platform, account, 4);
    expect(await amountsOf(account, second)).to.deep.equal(['4.00', '-1.00', '2.00']);
    expect(chargesOf(account)).to.deep.equal([550]);
  });

  it('goes on to a later invoice where the operator cancels the one that took it over', async () => {
    const account = await platform.account();
    await addCard(account, stripe());
    await issueInvoice(platform, account, 2);
    stripe().behave('declines');
    const second = await issueInvoice(platform, account, 5);
    const { number, status } = await invoiceOf(account, second);
    expect(status).to.equal('open');
    await asOperator(number);
    const draft = periodOf(platform.clock.now());
    expect(await amountsOf(account, draft), 'still too small').to.deep.equal(['2.00', '-2.00']);
    await meter(platform, account.live, usageOf('email.message', 2));
    expect(await amountsOf(account, draft)).to.deep.equal(['2.00', '2.00']);
    stripe().behave('succeeds');
  });

  it('ends that an account is past due, as soon as somebody pays', async () => {
    const account = await platform.account();
    stripe().takeAtLeast(50);
    const period = await issueInvoice(platform, account, 2);
    platform.clock.advance(days(60));
    await platform.settled();
    expect((await account.svc.call('billing.get', {})).standing).to.equal('past_due');
    stripe().takeAtLeast(300);
    await addCard(account, stripe());
    await platform.settled();
    expect(await invoiceOf(account, period)).to.include({ status: 'void', isCarriedOver: true });
    expect((await account.svc.call('billing.get', {})).standing).to.equal('good');
  });

  it('is not the payer’s failure where Stripe refuses because of the deployment’s own account', async () => {
    const account = await withCard();
    stripe().takeAtLeast(50);
    stripe().refuseCreation({ message: 'Your account cannot currently make live charges.' });
    const period = await issueInvoice(platform, account, 5);
    const refused = await account.svc.refusal('billing.invoice.pay', { period });
    expect(refused).to.include({ code: 'payment_failed' });
    expect(refused.fix).to.include('operator of this deployment must check its account');
    for (let times = 0; times < 6; times += 1) {
      platform.clock.advance(days(10));
      await platform.settled();
    }
    expect(await invoiceOf(account, period)).to.include({ status: 'open', lastFailure: null });
    expect((await account.svc.call('billing.get', {})).standing).to.equal('good');
    stripe().refuseCreation(null);
    platform.clock.advance(days(1));
    await platform.settled();
    expect((await invoiceOf(account, period)).status).to.equal('paid');
    expect(chargesOf(account)).to.deep.equal([550]);
    await expectMails(platform, account, ['billing.receipt']);
  });
});

describe('A currency for which Stripe states no minimum', () => {
  const { platform, stripe } = useStripe({ SVC_CURRENCY: 'KRW' });

  it('carries small amounts over before anything is issued', async () => {
    const account = await platform.account();
    await addCard(account, stripe());
    const period = await issueInvoice(platform, account, 40);
    const { invoice } = await account.svc.call('billing.invoice.get', { period });
    expect(invoice).to.include({ status: 'paid', total: '0' });
    for (let times = 0; times < 6; times += 1) {
      platform.clock.advance(days(5));
      await platform.settled();
    }
    expect((await account.svc.call('billing.get', {})).standing).to.equal('good');
    expect(stripe().charges()).to.deep.equal([]);
  });
});
