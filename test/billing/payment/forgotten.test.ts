import { expect } from 'chai';
import { invoiceCommands, type InvoiceCommands } from '#plugins/billing/ports.js';
import { idBytes } from '#core/runtime/id.js';
import { days } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { startStripe } from '#test/support/stripe.js';
import { addCard, issueInvoice, useStripe } from './support.js';

const asksOwner = '4000002500003155';
const takesDays = '4000000000000077';

describe('An invoice whose payment nobody can ask about any more', () => {
  const { platform, stripe } = useStripe({ SVC_PRODUCTS: 'account,developers,billing' });
  const asOperator = (work: (commands: InvoiceCommands) => Promise<string>): Promise<string> =>
    platform.running.services
      .transaction('npm run billing', ({ use }) => work(use(invoiceCommands)))
      .catch((error: unknown) => String(error));
  async function waiting(card: string): Promise<{ account: TestAccount; period: string; number: string }> {
    const account = await platform.account();
    await addCard(account, stripe(), card);
    const period = await issueInvoice(platform, account);
    await platform.settled();
    const { invoice } = await account.svc.call('billing.invoice.get', { period });
    return { account, period, number: invoice.number ?? '' };
  }
  const statusOf = async ({ svc }: TestAccount, period: string): Promise<string> =>
    (await svc.call('billing.invoice.get', { period })).invoice.status;

  it('is decided by the provider if the account has lost its payment method meanwhile', async () => {
    const { account, period } = await waiting(takesDays);
    await platform.running.services.database.run(
      'UPDATE billing_account SET payment_method_ref = NULL WHERE account_id = ?',
      [idBytes(account.accountId)],
    );
    stripe().decide('succeeded');
    platform.clock.advance(days(1));
    await platform.settled();
    expect(await statusOf(account, period)).to.equal('paid');
  });

  it('is settled by hand once its provider is no longer configured: after 30 days, or with an override', async () => {
    const asked = await waiting(asksOwner);
    const pending = await waiting(takesDays);
    const { paymentUrl } = stripe();
    await platform.restart({ SVC_PAYMENT_URL: 'manual' });
    const refused = await asOperator((commands) => commands.markPaid(pending.number));
    expect(refused)
      .to.contain('SVC_PAYMENT_URL no longer names')
      .and.to.contain(`npm run billing -- paid ${pending.number} --override`)
      .and.to.contain('assumes that it is never charged');
    expect(await statusOf(pending.account, pending.period)).to.equal('open');
    const overridden = await asOperator((commands) => commands.markPaid(pending.number, true));
    expect(overridden)
      .to.contain(`Invoice ${pending.number} is paid.`)
      .and.to.match(/assumes that its payment pi_\w+ at stripe, .* is never charged/);
    expect(await statusOf(pending.account, pending.period)).to.equal('paid');

    for (let weeks = 0; weeks < 13; weeks += 1) {
      platform.clock.advance(days(7));
      await platform.settled();
    }
    expect((await asked.account.svc.call('billing.get', {})).standing).to.equal('past_due');
    expect(await asOperator((commands) => commands.markVoid(asked.number, 'Will never be paid'))).to.contain(
      `Invoice ${asked.number} is void. This assumes`,
    );
    expect((await asked.account.svc.call('billing.get', {})).standing).to.equal('good');
    // The provider is back: nothing of them is collected.
    const before = stripe().charges().length;
    await platform.restart({ SVC_PAYMENT_URL: paymentUrl });
    platform.clock.advance(days(7));
    await platform.settled();
    expect(stripe().charges()).to.have.length(before);
  });

  it('is not collected again while another account of the provider is configured', async () => {
    const { account, period, number } = await waiting(takesDays);
    const lost = await waiting(takesDays);
    const charged = stripe().charges().length;
    const other = await startStripe('sk_test_51Other');
    try {
      await platform.restart({ SVC_PAYMENT_URL: other.paymentUrl });
      platform.clock.advance(days(1));
      await platform.settled();
      // The new account does not know the customer either, so the owner adds a payment method.
      await addCard(account, other);
      await platform.settled();
      expect((await account.svc.call('billing.invoice.pay', { period })).invoice.status).to.equal('open');
      expect(other.charges()).to.deep.equal([]);
      const refused = await asOperator((commands) => commands.markPaid(lost.number));
      expect(refused).to.contain('in another account').and.to.contain(`-- paid ${lost.number} --override`);
      const settled = await asOperator((commands) => commands.markPaid(lost.number, true));
      expect(settled).to.contain(`Invoice ${lost.number} is paid.`).and.to.contain('is never charged');
    } finally {
      await platform.restart({});
      await other.close();
    }
    // Back at the account in which it began, its result counts, and it is not settled by hand before.
    platform.clock.advance(days(1));
    await platform.settled();
    expect(await asOperator((commands) => commands.markPaid(number, true))).to.contain('Nothing was changed');
    stripe().decide('succeeded');
    platform.clock.advance(days(1));
    await platform.settled();
    expect(await statusOf(account, period)).to.equal('paid');
    expect(stripe().charges().length).to.be.above(charged);
    expect(other.charges()).to.deep.equal([]);
  });

  it('is listed before older ones, also beyond SVC-999999', async () => {
    await platform.running.services.database.run('UPDATE billing_invoice_sequence SET last = 999998');
    for (let count = 0; count < 3; count += 1) await waiting(takesDays);
    const numbers = (
      await platform.running.services.transaction('npm run billing', ({ use }) => use(invoiceCommands).list(undefined))
    ).map((line) => line.slice(0, line.indexOf(' ')));
    expect(numbers.slice(0, 3)).to.deep.equal(['SVC-1000001', 'SVC-1000000', 'SVC-999999']);
  });
});
