import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { addMonths, periodOf } from '#plugins/billing/periods/months.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth, meter, operatorOf, usageOf } from '#test/billing/support.js';
import { usePlatform } from '#test/support/platform.js';
import { themeWith } from '#test/account/theme/theme-with.js';

/** Whether the machine can read the text of a PDF (poppler-utils). */
const canReadPdf = spawnSync('pdftotext', ['-v']).error === undefined;
const textOf = (pdf: string | null): string =>
  execFileSync('pdftotext', ['-layout', '-', '-'], { input: Buffer.from(pdf ?? '', 'base64') }).toString();

describe('billing.invoice.get', () => {
  const prices = usePrices([flat('email.message', '0.0004'), flat('sms.segment', '0.01')]);
  const platform = usePlatform({ settings: async () => ({ ...(await prices()), SVC_TAX_PERCENT: '7.5' }) });
  const presentMonth = (): string => periodOf(platform.clock.now());

  it('shows the draft of the present month, as it is now', async () => {
    const { svc, live } = await platform.account();
    const period = presentMonth();
    const { invoice: empty } = await svc.call('billing.invoice.get', { period });
    expect(empty).to.deep.include({ status: 'draft', total: '0.00', lines: [], number: null });
    await meter(platform, live, usageOf('email.message', 1_000));
    const { invoice } = await svc.call('billing.invoice.get', { period });
    expect(invoice).to.include({ id: empty.id, subtotal: '0.40', tax: '0.03', total: '0.43' });
  });

  it('has no invoice of months to come, of months before the account, and of other accounts', async () => {
    const { svc, live } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 100));
    const period = endMonth(platform);
    await closeMonths(platform);
    const other = await platform.account();
    expect((await other.svc.refusal('billing.invoice.get', { period })).code).to.equal('not_found');
    for (const month of [addMonths(presentMonth(), 1), addMonths(period, -1), '1999-12'])
      expect((await svc.refusal('billing.invoice.get', { period: month })).code, month).to.equal('not_found');
    for (const wrong of ['2026-13', '2026-00', '2026-1', '26-01', ''])
      expect((await svc.refusal('billing.invoice.get', { period: wrong })).code, wrong).to.equal('invalid_input');
  });

  it('answers the PDF only where it is asked for, the same bytes each time', async () => {
    const { svc, live } = await platform.account();
    await meter(platform, live, usageOf('sms.segment', 100));
    const period = endMonth(platform);
    await closeMonths(platform);
    expect((await svc.call('billing.invoice.get', { period })).pdf).to.equal(null);
    const { pdf } = await svc.call('billing.invoice.get', { period, pdf: true });
    expect(
      Buffer.from(pdf ?? '', 'base64')
        .subarray(0, 8)
        .toString(),
    ).to.equal('%PDF-1.7');
    expect((await svc.call('billing.invoice.get', { period, pdf: true })).pdf).to.equal(pdf);
    const draft = await svc.call('billing.invoice.get', { period: presentMonth(), pdf: true });
    expect(
      Buffer.from(draft.pdf ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).to.equal('%PDF-');
  });

  it('returns the page of an issued invoice to callers who may pay it', async () => {
    const account = await platform.account();
    const { svc, svcTest, live } = account;
    await meter(platform, live, usageOf('sms.segment', 100));
    const draft = await svc.call('billing.invoice.get', { period: presentMonth() });
    expect(draft.pageUrl).to.equal(null);
    const period = endMonth(platform);
    await closeMonths(platform);
    const { pageUrl, invoice } = await svc.call('billing.invoice.get', { period });
    const { pathname, search } = new URL(pageUrl ?? '');
    const answer = await fetch(`${platform.running.address}${pathname}${search}`);
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.include(invoice.number);
    // Whoever has the address can pay: keys that may not do so do not get it.
    expect((await svcTest.call('billing.invoice.get', { period })).pageUrl, 'a test key').to.equal(null);
    const { plaintext: key } = await svc.call('developers.key.create', {
      name: 'Reads',
      permissions: ['billing:read'],
    });
    const reply = await svc.call('billing.invoice.get', { period }, { key });
    expect(reply.pageUrl, 'a key that reads').to.equal(null);
  });

  it('prints seller, buyer, number, lines, tax and total in the language of the account’s project', async function () {
    if (!canReadPdf) this.skip();
    const operator = operatorOf(platform);
    await operator.call('billing.details.set', {
      name: 'Contoso GmbH',
      taxId: 'DE999999999',
      address: { line1: 'Ring 1', city: 'Köln', country: 'DE' },
    });
    await operator.call('account.theme.draft.save', { theme: themeWith({ brandName: 'Contoso Messaging' }) });
    await operator.call('account.theme.publish', {});
    const { svc, live, accountId } = await platform.account();
    await svc.call('account.project.update', { projectId: live.projectId, locale: 'de-AT' });
    await svc.call('billing.details.set', { name: 'Łódź Sp. z o.o.', address: { city: 'Łódź', country: 'PL' } });
    await meter(platform, live, usageOf('sms.segment', 123_456, 'FR'));
    await operator.call('billing.credit.record', { accountId, amount: '34.56', reason: 'Welcome' });
    const period = endMonth(platform);
    await closeMonths(platform);
    const { invoice, pdf } = await svc.call('billing.invoice.get', { period, pdf: true });
    const text = textOf(pdf).replace(/[\u00a0\u202f]/g, ' ');
    for (const expected of [
      ...['Contoso Messaging', 'Rechnung', 'Contoso GmbH', 'Köln', 'Steuernr./USt-IdNr.: DE999999999'],
      ...['Łódź Sp. z o.o.', 'Polen', String(invoice.number), 'SMS-Segmente (Frankreich)', '123.456'],
      ...['1.234,56 $', 'Guthaben', '-34,56 $', 'Umsatzsteuer (7,5 %)', '90,00 $', 'Gesamtbetrag', '1.290,00 $'],
      ...['Fällig am', 'Seite 1 von 1'],
    ])
      expect(text).to.contain(expected);
  });
});
