import { expect } from 'chai';
import { invoiceCommands, type InvoiceCommands } from '#plugins/billing/ports.js';
import { days } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { operatorOf } from '../support.js';
import { addCard, issueInvoice, expectMails, useStripe } from './support.js';

describe('An invoice that the operator marks as paid or cancels', () => {
  const { platform, stripe } = useStripe();
  /** What npm run billing says, or why it refuses. */
  const asOperator = (work: (commands: InvoiceCommands) => Promise<string>): Promise<string> =>
    platform.running.services
      .transaction('npm run billing', ({ use }) => work(use(invoiceCommands)))
      .catch((error: unknown) => String(error));
  const unpaid = async (card: string | null): Promise<{ account: TestAccount; period: string; number: string }> => {
    const account = await platform.account();
    if (card !== null) await addCard(account, stripe(), card);
    const period = await issueInvoice(platform, account);
    const { invoice } = await account.svc.call('billing.invoice.get', { period });
    expect(invoice.status).to.equal('open');
    return { account, period, number: invoice.number ?? '' };
  };

  for (const [card, problem] of [
    ['4000000000000077', 'is being processed'],
    ['4000002500003155', 'is waiting for the owner'],
  ] as const)
    it(`stays as it is while a payment of it ${problem}: the provider may still take the money`, async () => {
      const { account, period, number } = await unpaid(card);
      const answers = [
        await asOperator((commands) => commands.markPaid(number)),
        await asOperator((commands) => commands.markVoid(number, 'x')),
      ];
      for (const answer of answers)
        expect(answer)
          .to.contain(`A payment of invoice ${number} ${problem}`)
          .and.match(/Cancel pi_\w+ at the payment/);
      expect((await account.svc.call('billing.invoice.get', { period })).invoice.status).to.equal('open');
    });

  it('is one of both where ten say so at once, with one event, and can be collected no more', async () => {
    const { account, period, number } = await unpaid(null);
    const before = stripe().charges().length;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        asOperator((commands) => (index % 2 === 0 ? commands.markPaid(number) : commands.markVoid(number, 'Race'))),
      ),
    );
    const { status } = (await account.svc.call('billing.invoice.get', { period })).invoice;
    expect(status).to.be.oneOf(['paid', 'void']);
    expect(answers.filter((answer) => answer === `Invoice ${number} is ${status}.`)).to.have.length(1);
    expect(answers.filter((answer) => answer.includes(`is already ${status}`))).to.have.length(9);
    const updated = (await platform.events(account.live)).filter(({ type }) => type === 'billing.payment.updated');
    expect(updated).to.have.length(1);
    await addCard(account, stripe());
    platform.clock.advance(days(40));
    await platform.settled();
    expect(await account.svc.refusal('billing.invoice.pay', { period })).to.include({ code: 'invoice_not_open' });
    expect(stripe().charges()).to.have.length(before);
    await expectMails(platform, account, ['billing.invoice', ...(status === 'paid' ? ['billing.receipt'] : [])]);
  });

  it('gives its credits back once when it is cancelled, but not one that was reversed', async () => {
    const operator = operatorOf(platform);
    const account = await platform.account();
    const grant = async (amount: string): Promise<string> =>
      (await operator.call('billing.credit.record', { accountId: account.accountId, amount, reason: 'Test' })).credit
        .id;
    const [reversed] = [await grant('3'), await grant('4')];
    const period = await issueInvoice(platform, account);
    const { invoice } = await account.svc.call('billing.invoice.get', { period });
    expect([invoice.credit, invoice.total]).to.deep.equal(['7.00', '7.00']);
    await operator.call('billing.credit.reverse', { creditId: reversed, reason: 'Test' });
    const balance = async (): Promise<string> => (await account.svc.call('billing.get', {})).credit.balance.amount;
    expect(await balance()).to.equal('0.00');
    await Promise.all([1, 2, 3].map(() => asOperator((commands) => commands.markVoid(invoice.number ?? '', 'Wrong'))));
    expect(await balance()).to.equal('4.00');
  });
});
