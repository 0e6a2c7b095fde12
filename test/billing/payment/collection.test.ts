import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { days, hours } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import type { ReplyOf } from '#test/support/api.js';
import type { TestAccount } from '#test/support/platform.js';
import { addCard, issueInvoice, expectMails, useStripe } from './support.js';

describe('Invoices are collected from the payment method', () => {
  const { platform, stripe } = useStripe();
  const invoiceOf = async (
    { svc }: Pick<TestAccount, 'svc'>,
    period: string,
  ): Promise<ReplyOf<'billing.invoice.get'>['invoice']> => (await svc.call('billing.invoice.get', { period })).invoice;
  const paymentEvents = async (account: TestAccount): Promise<string[]> =>
    (await platform.events(account.live)).map(({ type }) => type).filter((type) => type.startsWith('billing.payment'));
  const chargedTo = (account: TestAccount): number[] => {
    const [customer] = [...stripe().customers].find(([, { email }]) => email === account.ownerEmail) ?? [];
    return stripe()
      .charges()
      .filter((charge) => charge.customer === customer)
      .map(({ amount }) => amount);
  };
  /** As the last event says. */
  const standingOf = async (account: TestAccount): Promise<unknown> =>
    (await platform.events(account.live)).findLast(({ type }) => type === 'billing.payment.updated')?.data['standing'];
  const wait = async (time: number): Promise<void> => {
    platform.clock.advance(time);
    await platform.settled();
  };

  it('as soon as they are issued, once, with a receipt', async () => {
    const account = await platform.account();
    await addCard(account, stripe());
    const period = await issueInvoice(platform, account);
    expect(await invoiceOf(account, period)).to.deep.include({ status: 'paid', total: '14.00', lastFailure: null });
    expect(chargedTo(account)).to.deep.equal([1400]);
    expect(await paymentEvents(account)).to.deep.equal([
      'billing.payment.setup_started',
      'billing.payment.updated',
      'billing.payment.updated',
    ]);
    const event = (await platform.events(account.live)).findLast(({ type }) => type === 'billing.payment.updated');
    expect(event?.data).to.deep.include({ standing: 'good' });
    expect(event?.data['invoice']).to.deep.include({ period, status: 'paid' });
    await expectMails(platform, account, ['billing.receipt']);
    const { activities } = await account.svc.call('account.activity.list', {});
    expect(activities.map(({ summary }) => summary)).to.include.members(['Collected invoice SVC-000001.']);
    await wait(days(40));
    expect(chargedTo(account), 'and never again').to.deep.equal([1400]);
    expect(await platform.count('billing_collection_queue')).to.equal(0);
  });

  it('again 1, 3 and 5 days after a failure, then the account is past due until somebody pays', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000000000000341');
    const period = await issueInvoice(platform, account);
    const tried = (): number =>
      [...stripe().intents.values()].filter(({ status }) => status === 'requires_payment_method').length;
    const before = tried();
    const failed = await invoiceOf(account, period);
    expect(failed.status).to.equal('open');
    expect(failed.lastFailure?.reason).to.equal('Your card was declined.');
    const attemptsAfter: number[] = [];
    for (let day = 1; day <= 8; day += 1) {
      await wait(days(1));
      attemptsAfter.push(tried() - before);
    }
    expect(attemptsAfter).to.deep.equal([1, 1, 2, 2, 3, 3, 3, 3]);
    await expectMails(platform, account, Array(4).fill('billing.payment_failed'));
    expect((await paymentEvents(account)).filter((type) => type === 'billing.payment.failed')).to.have.length(4);
    expect(await standingOf(account)).to.equal('good');
    await wait(days(13));
    expect((await invoiceOf(account, period)).status).to.equal('past_due');
    expect(await standingOf(account)).to.equal('past_due');
    await expectMails(platform, account, [...Array<string>(4).fill('billing.payment_failed'), 'billing.past_due']);
    await addCard(account, stripe());
    await platform.settled();
    expect((await invoiceOf(account, period)).status).to.equal('paid');
    expect(await standingOf(account)).to.equal('good');
    expect(chargedTo(account)).to.deep.equal([1400]);
  });

  it('by asking again where the bank takes days, during which nothing is past due', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000000000000077');
    const period = await issueInvoice(platform, account);
    await wait(days(25));
    expect((await invoiceOf(account, period)).status).to.equal('open');
    await expectMails(platform, account, []);
    stripe().decide('succeeded');
    await wait(hours(7));
    expect((await invoiceOf(account, period)).status).to.equal('paid');
    expect(chargedTo(account)).to.deep.equal([1400]);
  });

  it('by asking no more often where another method is added while the bank decides, and from it if the bank declines', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000000000000077');
    const period = await issueInvoice(platform, account);
    platform.clock.advance(hours(1));
    await addCard(account, stripe());
    await eventually(async () => {
      const [work] = await platform.running.services.database.rows<{ due_at: Date; leased: number }>(
        'SELECT due_at, leased FROM billing_collection_queue WHERE partition_id = ?',
        [idBytes(account.accountId)],
      );
      return work?.leased === 0 && work.due_at > platform.clock.now();
    }, 'the collection waits');
    expect((await invoiceOf(account, period)).status).to.equal('open');
    stripe().decide('failed');
    await wait(hours(7));
    expect((await invoiceOf(account, period)).status).to.equal('paid');
    expect(chargedTo(account)).to.deep.equal([1400]);
  });

  it('not while Stripe does not answer, and once it does', async () => {
    const account = await platform.account();
    await addCard(account, stripe());
    stripe().fail({ path: /payment_intents$/, status: 429, times: 2 });
    stripe().fail({ path: /confirm$/, breaks: 'after', times: 2 });
    const period = await issueInvoice(platform, account);
    expect((await invoiceOf(account, period)).status).to.equal('open');
    for (let hour = 1; hour <= 3; hour += 1) await wait(hours(1));
    expect(await invoiceOf(account, period)).to.deep.include({ status: 'paid', lastFailure: null });
    expect(chargedTo(account)).to.deep.equal([1400]);
  });

  it('as soon as a missing method is added; owners get a mail that there is none', async () => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    expect((await invoiceOf(account, period)).status).to.equal('open');
    await expectMails(platform, account, ['billing.invoice']);
    await addCard(account, stripe());
    await platform.settled();
    expect((await invoiceOf(account, period)).status).to.equal('paid');
  });
});
