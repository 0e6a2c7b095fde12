import { dayMs } from '#core/runtime/clock.js';
import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { bringBack } from '#core/runtime/work/bring-back.js';
import { collectionWork } from '#plugins/billing/payments/collection/work.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth, meter, operatorOf, usageOf } from '#test/billing/support.js';
import { usePlatform } from '#test/support/platform.js';

describe('The close of a month', () => {
  const prices = usePrices([
    {
      meter: 'email.message',
      tiers: [
        [1_000, '0'],
        [10_000, '0.001'],
        [null, '0.0005'],
      ],
    },
    flat('sms.segment', '0.0079'),
    { meter: 'sms.segment', country: 'DE', tiers: [[null, '0.085']] },
  ]);
  const platform = usePlatform({
    // Without email: mails about invoices that are not paid would be metered too.
    settings: async () => ({
      ...(await prices()),
      SVC_TAX_PERCENT: '19',
      SVC_INVOICE_DUE_DAYS: '90',
      SVC_INVOICE_PREFIX: 'SHOP-2-',
      SVC_PRODUCTS: 'account,developers,billing',
    }),
  });

  it('issues the invoice that the draft showed', async () => {
    const { svc, live, test } = await platform.account();
    await meter(platform, live, usageOf('email.message', 12_000), usageOf('sms.segment', 100, 'DE'));
    await meter(platform, live, usageOf('sms.segment', 10, 'FR'), usageOf('email.message', -500));
    await meter(platform, test, usageOf('email.message', 50_000));
    const period = platform.clock.now().toISOString().slice(0, 7);
    const { invoice: draft } = await svc.call('billing.invoice.get', { period });
    const line = (description: string, quantity: number, unitPrice: string, amount: string): object => ({
      description,
      meter: description.startsWith('Emails') ? 'email.message' : 'sms.segment',
      quantity,
      unitPrice,
      amount,
    });
    expect(draft).to.include({ status: 'draft', number: null, issuedAt: null, period });
    expect(draft.lines.map(({ projectName: _, ...rest }) => rest)).to.deep.equal([
      line('Emails', 1_000, '0.00', '0.00'),
      line('Emails', 9_000, '0.001', '9.00'),
      line('Emails', 1_500, '0.0005', '0.75'),
      line('Text message segments (Germany)', 100, '0.085', '8.50'),
      line('Text message segments (France)', 10, '0.0079', '0.079'),
    ]);
    expect(draft).to.include({ subtotal: '18.329', credit: '0.00', tax: '3.48251', total: '21.81151' });

    endMonth(platform);
    await closeMonths(platform);
    const { invoice } = await svc.call('billing.invoice.get', { period });
    const issuedAt = platform.clock.now();
    expect(invoice).to.deep.equal({
      ...draft,
      number: invoice.number,
      status: 'open',
      issuedAt: issuedAt.toISOString(),
      dueAt: new Date(issuedAt.getTime() + 90 * dayMs).toISOString(),
    });
    expect(invoice.number).to.match(/^SHOP-2-\d{6}$/);
    const { activities } = await svc.call('account.activity.list', {});
    expect(activities.filter(({ operation }) => operation === 'billing.invoice.issue')).to.have.length(1);
    expect(activities.map(({ summary }) => summary)).to.include(
      `Issued invoice ${invoice.number} for ${period}: 21.81151 USD.`,
    );
  });

  it('leaves an invoice that is not due for months alone until then', async () => {
    const { svc, live } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 1_000));
    const period = endMonth(platform);
    await closeMonths(platform);
    const { services } = platform.running;
    // What the recurring job svc.bring-back-work does.
    expect(await bringBack(services.database, collectionWork(services), platform.clock.now())).to.equal(0);
    platform.clock.advance(96 * dayMs);
    await platform.settled();
    expect((await svc.call('billing.invoice.get', { period })).invoice.status).to.equal('open');
    platform.clock.advance(2 * dayMs);
    await platform.settled();
    expect((await svc.call('billing.invoice.get', { period })).invoice.status).to.equal('past_due');
  });

  it('issues nothing for a month in which nothing was used', async () => {
    const { svc, live } = await platform.account();
    await svc.call('billing.details.set', { name: 'Acme GmbH' });
    await meter(platform, live, usageOf('audience.contact', 5));
    const before = await platform.count('billing_invoice');
    const period = endMonth(platform);
    await closeMonths(platform);
    expect((await svc.refusal('billing.invoice.get', { period })).code).to.equal('not_found');
    expect(await platform.count('billing_invoice')).to.equal(before);
    const { invoices } = await svc.call('billing.invoice.list', {});
    expect(invoices.map(({ status }) => status)).to.deep.equal(['draft']);
  });

  it('happens once, however often it is asked for', async () => {
    const { live, accountId } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 1_000, 'DE'));
    endMonth(platform);
    for (let round = 0; round < 3; round += 1) await closeMonths(platform);
    const id = accountId.replaceAll('-', '');
    expect(await platform.count('billing_invoice', `account_id = 0x${id}`)).to.equal(1);
    expect(await platform.count('billing_close_queue')).to.equal(0);
  });

  it('waits an hour after the month’s end', async () => {
    const { svc, live } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 1_000, 'DE'));
    const period = endMonth(platform);
    platform.clock.advance(-1);
    await closeMonths(platform);
    expect((await svc.call('billing.invoice.get', { period })).invoice.status).to.equal('draft');
    platform.clock.advance(1);
    await closeMonths(platform);
    expect((await svc.call('billing.invoice.get', { period })).invoice.status).to.equal('open');
  });

  it('counts usage that is recorded after it in the next month', async () => {
    const { svc, live } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 1_000, 'DE'));
    const period = endMonth(platform);
    await closeMonths(platform);
    // A call that began in the month, and recorded its usage after the close.
    await platform.running.services.database.run(
      `INSERT INTO billing_usage SELECT UNHEX(REPLACE(UUID(), '-', '')), account_id, period, meter, project_id, day, country, is_test,
         environment_id, 50, source_id, 0, 0, created_at FROM billing_usage WHERE environment_id = ? LIMIT 1`,
      [idBytes(live.id)],
    );
    const { invoice } = await svc.call('billing.invoice.get', { period });
    expect(invoice.lines.map(({ quantity }) => quantity)).to.deep.equal([1_000]);
    await meter(platform, live, usageOf('sms.segment', 7, 'DE'));
    const next = endMonth(platform);
    await closeMonths(platform);
    const { invoice: following } = await svc.call('billing.invoice.get', { period: next });
    expect(following.lines.map(({ description, quantity }) => [description, quantity])).to.deep.equal([
      [`Text message segments (Germany), used in ${period}`, 50],
      ['Text message segments (Germany)', 7],
    ]);
    expect(following.subtotal).to.equal('4.845');
  });

  it('closes every month that was missed, in their order', async () => {
    const { svc, live } = await platform.account();
    const missed: string[] = [];
    for (const quantity of [100, 0, 300]) {
      if (quantity > 0) await meter(platform, live, usageOf('sms.segment', quantity, 'DE'));
      missed.push(endMonth(platform));
    }
    await closeMonths(platform);
    const { invoices } = await svc.call('billing.invoice.list', { status: 'open' });
    expect(invoices.map(({ period, subtotal }) => [period, subtotal])).to.deep.equal([
      [missed[2], '25.50'],
      [missed[0], '8.50'],
    ]);
    expect(Number(invoices[0]?.number?.slice(-6))).to.equal(Number(invoices[1]?.number?.slice(-6)) + 1);
  });

  it('puts fees on the invoice, and takes none afterwards', async () => {
    const { svc, accountId, live } = await platform.account();
    const operator = operatorOf(platform);
    const fee = {
      accountId,
      projectId: live.projectId,
      description: 'Carrier registration',
      amount: '4',
      reference: 'r-1',
    };
    const incurredAt = platform.clock.now().toISOString();
    await operator.call('billing.passthrough.record', fee);
    const period = endMonth(platform);
    // In the hour before the close.
    await operator.call('billing.passthrough.record', { ...fee, amount: '1.5', reference: 'r-2', incurredAt });
    await closeMonths(platform);
    const late = { ...fee, reference: 'r-3', incurredAt };
    expect((await operator.refusal('billing.passthrough.record', late)).code).to.equal('invoice_not_open');
    expect((await operator.call('billing.passthrough.record', { ...fee, incurredAt })).period).to.equal(period);
    const { invoice } = await svc.call('billing.invoice.get', { period });
    expect(invoice.lines.map(({ description, amount }) => [description, amount])).to.deep.equal([
      ['Carrier registration', '4.00'],
      ['Carrier registration', '1.50'],
    ]);
    expect(invoice.lines[0]?.projectName).to.match(/^Shop/);
    await operator.call('billing.passthrough.record', { ...fee, reference: 'r-3' });
    const next = endMonth(platform);
    await closeMonths(platform);
    expect((await svc.call('billing.invoice.get', { period: next })).invoice.subtotal).to.equal('4.00');
  });

  it('is not changed by what changes later', async () => {
    const { svc, live, accountId } = await platform.account();
    await svc.call('billing.details.set', { name: 'Acme GmbH' });
    await meter(platform, live, usageOf('sms.segment', 1_000, 'DE'));
    const period = endMonth(platform);
    await closeMonths(platform);
    const first = await svc.call('billing.invoice.get', { period, pdf: true });
    await svc.call('billing.details.set', { name: 'Other AG' });
    await svc.call('account.update', { name: 'Renamed' });
    await svc.call('account.project.update', { projectId: live.projectId, name: 'Renamed' });
    await operatorOf(platform).call('billing.credit.record', { accountId, amount: '50', reason: 'Afterwards' });
    await meter(platform, live, usageOf('sms.segment', 5, 'DE'));
    expect(await svc.call('billing.invoice.get', { period, pdf: true })).to.deep.equal(first);
  });
});
