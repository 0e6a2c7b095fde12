import { expect } from 'chai';
import type { FullContext } from '#core/kernel/context.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { queueMonthCloses } from '#plugins/billing/closing/close-work.js';
import { beginAttempt, knownAbout } from '#plugins/billing/payments/collection/attempts.js';
import { lockInvoice } from '#plugins/billing/invoices/status.js';
import type { InvoiceRow } from '#plugins/billing/tables/invoice.js';
import { minutes, hours } from '#test/support/clock.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import type { TestAccount } from '#test/support/platform.js';
import { endMonth, meter, usageOf } from '../support.js';
import { addCard, issueInvoice, expectMails, useStripe } from './support.js';

describe('A collection that another worker has taken over', () => {
  const { platform, stripe } = useStripe();
  const statusOf = async ({ svc }: TestAccount, period: string): Promise<string> =>
    (await svc.call('billing.invoice.get', { period })).invoice.status;
  const paidEvents = async ({ live }: TestAccount): Promise<unknown[]> =>
    (await platform.events(live)).filter(
      ({ type, data }) => type === 'billing.payment.updated' && data['invoice'] !== null,
    );
  const run = (sql: string, parameters: (Buffer | Date)[] = []): Promise<unknown> =>
    platform.running.services.database.run(sql, parameters);
  /** The one collection in progress goes to another worker, which does not begin yet. */
  const takeLease = (): Promise<unknown> =>
    run('UPDATE billing_collection_queue SET leased = 1, lease_token = ?, lease_until = NOW(3) + INTERVAL 1 HOUR', [
      idBytes(newId()),
    ]);
  /** The lease of the worker that has it has expired, and was given back. */
  const giveLeaseBack = (): Promise<unknown> =>
    run('UPDATE billing_collection_queue SET leased = 0, lease_token = NULL, lease_until = NULL, due_at = ?', [
      platform.clock.now(),
    ]);
  const attemptsOf = ({ accountId }: TestAccount): Promise<number> =>
    platform.count('billing_payment_attempt', `account_id = x'${accountId.replaceAll('-', '')}'`);
  /** An account with a card whose invoice is about to be collected. */
  const payer = async (): Promise<{ account: TestAccount; issue: () => Promise<string> }> => {
    const account = await platform.account();
    await addCard(account, stripe());
    return {
      account,
      async issue() {
        await meter(platform, account.live, usageOf('email.message', 14));
        const period = endMonth(platform);
        await queueMonthCloses(platform.running.services);
        return period;
      },
    };
  };

  it('records no outcome that a slow worker got: only the one that has the lease records it, once', async () => {
    const { account, issue } = await payer();
    const confirmed = stripe().hold(/confirm$/);
    const period = await issue();
    await confirmed.reached(1);
    await takeLease();
    confirmed.open();
    await platform.settled();
    expect(await statusOf(account, period)).to.equal('open');
    expect(await paidEvents(account)).to.have.length(0);
    await giveLeaseBack();
    await platform.settled();
    expect(await statusOf(account, period)).to.equal('paid');
    expect(await paidEvents(account)).to.have.length(1);
    await expectMails(platform, account, ['billing.receipt']);
  });

  it('charges one payment where two workers made one each, because the first was slow for hours', async () => {
    const { account, issue } = await payer();
    const before = stripe().charges().length;
    const created = stripe().hold(/payment_intents$/);
    const period = await issue();
    await created.reached(1);
    const intents = stripe().intents.size;
    platform.clock.advance(hours(2));
    await giveLeaseBack();
    expect((await account.svc.call('billing.invoice.pay', { period })).invoice.status).to.equal('paid');
    expect(stripe().intents.size).to.equal(intents + 1);
    created.open();
    await platform.settled();
    expect(stripe().charges()).to.have.length(before + 1);
    expect(await paidEvents(account)).to.have.length(1);
  });

  it('charges nothing for an attempt that ended while a slow worker created its payment', async () => {
    const { account, issue } = await payer();
    const before = stripe().charges().length;
    const created = stripe().hold(/payment_intents$/);
    const period = await issue();
    await created.reached(1);
    await takeLease();
    await run("UPDATE billing_payment_attempt SET status = 'failed', ended_at = ? WHERE ended_at IS NULL", [
      platform.clock.now(),
    ]);
    created.open();
    await platform.settled();
    expect(stripe().charges()).to.have.length(before);
    await giveLeaseBack();
    await account.svc.call('billing.invoice.pay', { period });
    expect(stripe().charges()).to.have.length(before + 1);
    expect(await paidEvents(account)).to.have.length(1);
  });

  it('makes one payment at the provider where its answer to making it was lost', async () => {
    const { account } = await payer();
    const intents = stripe().intents.size;
    stripe().fail({ path: /payment_intents$/, breaks: 'after', times: 2 });
    const period = await issueInvoice(platform, account);
    platform.clock.advance(minutes(11));
    await platform.settled();
    expect(await statusOf(account, period)).to.equal('paid');
    expect(stripe().intents.size).to.equal(intents + 1);
  });

  /**
   * An unpaid invoice whose collection a worker has found due, and does something before the worker can begin an
   * attempt.
   */
  const beforeBegin = async (work: (context: FullContext, invoice: InvoiceRow) => Promise<void>) => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    const { invoice } = await account.svc.call('billing.invoice.get', { period });
    await platform.running.services.transaction('Test', async (context) => {
      const row = await lockInvoice(context.db, invoice.id);
      if (!row) throw new Error('There is no invoice.');
      // A new method makes it due at once.
      await addCard(account, stripe());
      await untilWaiting(platform, 1, 'the worker');
      await work(context, row);
    });
    await platform.settled();
    return { account, period };
  };

  it('begins no attempt', async () => {
    const { account, period } = await beforeBegin(async () => {
      await takeLease();
    });
    expect(await attemptsOf(account)).to.equal(0);
    await giveLeaseBack();
    await platform.settled();
    expect(await attemptsOf(account)).to.equal(1);
    expect(await statusOf(account, period)).to.equal('paid');
  });

  it('begins no second attempt beside one that is open', async () => {
    const before = stripe().charges().length;
    const { account, period } = await beforeBegin(async (context, invoice) => {
      const known = await knownAbout(context, invoice);
      if (!known.payer) throw new Error('There is no payer.');
      await beginAttempt(context, { ...known, payer: known.payer });
    });
    expect(await attemptsOf(account)).to.equal(1);
    platform.clock.advance(hours(1));
    await platform.settled();
    expect(await attemptsOf(account)).to.equal(1);
    expect(await statusOf(account, period)).to.equal('paid');
    expect(stripe().charges()).to.have.length(before + 1);
  });
});
