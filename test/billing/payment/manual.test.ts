import { expect } from 'chai';
import { invoiceCommands, type InvoiceCommands } from '#plugins/billing/ports.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { issueInvoice, expectMails } from './support.js';

describe('Invoices that are paid by hand', () => {
  const prices = usePrices([flat('email.message', '1')]);
  const platform = usePlatform({ settings: prices });
  const asOperator = <T>(work: (commands: InvoiceCommands) => Promise<T>): Promise<T> =>
    platform.running.services.transaction('npm run billing', ({ use }) => work(use(invoiceCommands)));

  it('the operator marks an overdue one as paid: the account is in good standing again, with a receipt', async () => {
    const account = await platform.account();
    const { svc } = account;
    const period = await issueInvoice(platform, account);
    await expectMails(platform, account, ['billing.invoice']);
    expect(await svc.refusal('billing.payment.setup', {})).to.include({ code: 'provider_not_configured' });
    expect(await svc.refusal('billing.invoice.pay', { period })).to.include({ code: 'payment_method_missing' });
    platform.clock.advance(days(22));
    await platform.settled();
    expect((await svc.call('billing.get', {})).standing).to.equal('past_due');
    const number = (await svc.call('billing.invoice.get', { period })).invoice.number ?? '';
    expect((await asOperator((commands) => commands.list('past_due')))[0]).to.match(
      new RegExp(`^${number} .* 14\\.00 USD`),
    );
    expect(await asOperator((commands) => commands.markPaid(number))).to.equal(`Invoice ${number} is paid.`);
    expect((await svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
    expect((await svc.call('billing.get', {})).standing).to.equal('good');
    await expectMails(platform, account, ['billing.invoice', 'billing.past_due', 'billing.receipt']);
    const { activities } = await svc.call('account.activity.list', {});
    expect(activities[0]?.summary).to.equal(`The operator marked as paid invoice ${number}.`);
    const again = await asOperator((commands) => commands.markPaid(number)).catch((error: unknown) => String(error));
    expect(again).to.include('is already paid');
  });

  it('or cancels it, which ends the past due as well', async () => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    platform.clock.advance(days(22));
    await platform.settled();
    const number = (await account.svc.call('billing.invoice.get', { period })).invoice.number ?? '';
    const blank = await asOperator((commands) => commands.markVoid(number, ' ')).catch((error: unknown) =>
      String(error),
    );
    expect(blank).to.contain('The reason is empty');
    await asOperator((commands) => commands.markVoid(number, 'Issued by mistake'));
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.status).to.equal('void');
    const voided = (await account.svc.call('billing.invoice.list', { status: 'void' })).invoices;
    expect(voided.map((invoice) => invoice.period)).to.deep.equal([period]);
    expect(await account.svc.refusal('billing.invoice.pay', { period })).to.include({ code: 'invoice_not_open' });
    expect((await account.svc.call('billing.get', {})).standing).to.equal('good');
    const misspelt = await asOperator((commands) => commands.list('pastdue')).catch((error: unknown) => String(error));
    expect(misspelt).to.contain('open, paid, past_due, void');
    const unknown = await asOperator((commands) => commands.markPaid('SVC-999999')).catch((error: unknown) =>
      String(error),
    );
    expect(unknown).to.include('There is no invoice SVC-999999');
  });
});
