import { expect } from 'chai';
import { textTag } from '#core/kernel/language.js';
import { billingTexts } from '#plugins/billing/pages/texts/texts.js';
import { invoicePageUrl } from '#plugins/billing/accounts/links.js';
import { days, minutes } from '#test/support/clock.js';
import { useBrowser } from '#test/support/browser.js';
import { addCard, issueInvoice, expectMails, useStripe } from './support.js';

const { en } = billingTexts;

describe('The pages of invoices and payment methods, in a browser without JavaScript', () => {
  const { platform, stripe } = useStripe();
  const browser = useBrowser();
  const open = async (url: string, options = {}) => {
    const page = await browser.open({ javaScriptEnabled: false, locale: 'en-GB', ...options });
    await page.goto(url);
    return page;
  };
  const pageOf = async (accountId: string): Promise<string> => {
    const { services } = platform.running;
    const [row] = await services.database.rows<{ id: string }>(
      "SELECT LOWER(INSERT(INSERT(INSERT(INSERT(HEX(id), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-')) AS id FROM billing_invoice WHERE account_id = UNHEX(REPLACE(?, '-', '')) ORDER BY id DESC LIMIT 1",
      [accountId],
    );
    return invoicePageUrl(services, row?.id ?? '');
  };

  it('an owner confirms a payment at their bank', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000002500003155');
    const period = await issueInvoice(platform, account);
    await expectMails(platform, account, ['billing.action_required']);
    const page = await open(await pageOf(account.accountId));
    await page.getByRole('status').getByText(en.invoice.lead.confirm).waitFor();
    await page.getByRole('button', { name: en.invoice.confirm }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('status').getByText(en.invoice.lead.paid).waitFor();
    expect(page.url(), 'what the bank adds is gone').not.to.include('returned');
    expect(await page.getByRole('button').count()).to.equal(0);
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
    expect(stripe().charges()).to.have.length(1);
    await expectMails(platform, account, ['billing.action_required', 'billing.receipt']);
  });

  it('an owner who rejects it sees why, and pays with another method', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000002500003155');
    const period = await issueInvoice(platform, account);
    const charges = stripe().charges().length;
    const page = await open(await pageOf(account.accountId));
    await page.getByRole('button', { name: en.invoice.confirm }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('The last payment failed. The payment wasn’t confirmed with the bank.').waitFor();
    platform.clock.advance(minutes(1));
    await page.getByRole('button', { name: en.invoice.otherMethod }).click();
    await page.getByRole('textbox').fill('4242424242424242');
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByRole('heading', { name: /Invoice SVC-/ }).waitFor();
    await platform.settled();
    await page.reload();
    await page.getByRole('status').getByText(en.invoice.lead.paid).waitFor();
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
    expect(stripe().charges()).to.have.length(charges + 1);
  });

  it('an owner without a payment method adds one, and pays', async () => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    const page = await open(await pageOf(account.accountId));
    await page.getByRole('button', { name: en.invoice.addMethod }).click();
    await page.getByRole('textbox').fill('4242424242424242');
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByRole('heading', { name: /Invoice SVC-/ }).waitFor();
    await platform.settled();
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
  });

  it('an owner who has just added another method sees that the payment is on its way', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000000000009995');
    await issueInvoice(platform, account);
    const url = await pageOf(account.accountId);
    const page = await open(url);
    await page.getByRole('button', { name: en.invoice.otherMethod }).waitFor();
    // No worker knows of it yet.
    const added = new Date(platform.clock.now().getTime() + minutes(1));
    await platform.running.services.database.run(
      "UPDATE billing_payment_setup SET ended_at = ? WHERE account_id = UNHEX(REPLACE(?, '-', ''))",
      [added, account.accountId],
    );
    platform.clock.advance(minutes(1));
    await page.goto(url);
    await page.getByRole('status').getByText(en.invoice.lead.processing).waitFor();
    expect(await page.getByRole('button').count()).to.equal(0);
    expect(await page.getByText('The last payment failed').count()).to.equal(0);
  });

  it('asked to confirm again later, an owner gets another mail, and one charge', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000002500003155');
    await issueInvoice(platform, account);
    const charges = stripe().charges().length;
    for (let day = 1; day <= 6; day += 1) {
      platform.clock.advance(days(1));
      await platform.settled();
    }
    await expectMails(platform, account, Array(4).fill('billing.action_required'));
    const page = await open(await pageOf(account.accountId));
    await page.getByRole('button', { name: en.invoice.confirm }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('status').getByText(en.invoice.lead.paid).waitFor();
    expect(stripe().charges()).to.have.length(charges + 1);
  });

  it('two tabs confirm a payment: the second one does not say that the provider is not responding', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000002500003155');
    await issueInvoice(platform, account);
    const charges = stripe().charges().length;
    const url = await pageOf(account.accountId);
    const [first, second] = [await open(url), await open(url)];
    const asked = stripe().hold(/confirm$/);
    await first.getByRole('button', { name: en.invoice.confirm }).click({ noWaitAfter: true });
    await asked.reached(1);
    await second.getByRole('button', { name: en.invoice.confirm }).click();
    await second.waitForLoadState();
    expect(await second.getByText(en.invoice.lead.unavailable).count()).to.equal(0);
    await second.getByRole('status').getByText(en.invoice.lead.confirm).waitFor();
    asked.open();
    await first.getByRole('button', { name: 'Approve' }).click();
    await first.getByRole('status').getByText(en.invoice.lead.paid).waitFor();
    expect(stripe().charges()).to.have.length(charges + 1);
  });

  it('the bank is processing a payment: the page says so, also at the address of a page that had no answer', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000000000000077');
    stripe().fail({ path: /payment_intents$/, status: 429, times: 2 });
    await issueInvoice(platform, account);
    const page = await open(await pageOf(account.accountId));
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.waitForURL(/unavailable/);
    await page.getByRole('status').getByText(en.invoice.lead.unavailable).waitFor();
    platform.clock.advance(minutes(11));
    await platform.settled();
    await page.reload();
    await page.getByRole('status').getByText(en.invoice.lead.processing).waitFor();
    expect(await page.getByRole('button').count()).to.equal(0);
  });

  it('the provider leads back to a page that stores the method, and on to the returnUrl', async () => {
    const { svc } = await platform.account();
    const returnUrl = `${stripe().url}/checkout/none`;
    const kept = await svc.call('billing.payment.setup', {});
    const page = await open(kept.url);
    await page.getByRole('textbox').fill('4242424242424242');
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByRole('status').getByText(en.method.active).waitFor();
    expect(await svc.call('billing.payment.confirm', { setupId: kept.setupId })).to.include({ status: 'active' });
    const started = await svc.call('billing.payment.setup', { returnUrl });
    const back = await stripe().enterCard(started.url, '4242424242424242');
    const answer = await fetch(back, { redirect: 'manual' });
    expect(answer.headers.get('location')).to.equal(returnUrl);
  });

  it('a method is saved without a returnUrl: the page says that unpaid invoices are charged too, as they are', async () => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    const { url } = await account.svc.call('billing.payment.setup', {});
    const page = await open(await stripe().enterCard(url, '4242424242424242'));
    await page.getByText('Unpaid and future invoices will be charged to it.').waitFor();
    await platform.settled();
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
  });

  it('a method is refused: the page says why in one sentence, and what to do next', async () => {
    const { svc } = await platform.account();
    const { url } = await svc.call('billing.payment.setup', {});
    const page = await open(await stripe().enterCard(url, '1'));
    const said = 'The payment method wasn’t saved. The payment provider says: “Your card was declined”.';
    await page.getByRole('status').getByText(said, { exact: true }).waitFor();
    await page.getByText(en.method.again).waitFor();
    const returnUrl = `${stripe().url}/checkout/none`;
    const led = await svc.call('billing.payment.setup', { returnUrl });
    await page.goto(await stripe().enterCard(led.url, '1'));
    await page.getByRole('link', { name: en.method.back }).waitFor();
    expect(await page.getByText(en.method.again).count(), 'the link is the next step').to.equal(0);
  });

  it('they speak five languages, have a dark mode and the PDF, and open by their link alone', async () => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    const url = await pageOf(account.accountId);
    for (const [locale, texts] of Object.entries(billingTexts)) {
      const page = await open(url, { locale });
      await page.getByText(texts.invoice.lead.noMethod).waitFor();
      expect(await page.locator('html').getAttribute('lang')).to.equal(textTag(locale));
    }
    const dark = await open(url, { colorScheme: 'dark' });
    const light = await open(url, { colorScheme: 'light' });
    const background = 'getComputedStyle(document.body).backgroundColor';
    expect(await dark.evaluate(background)).not.to.equal(await light.evaluate(background));
    const pdf = await fetch(`${url}&pdf=1`);
    expect(pdf.headers.get('content-type')).to.equal('application/pdf');
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).to.equal('%PDF-');
    for (const token of ['', 'x', `${url.split('token=')[1]?.split('.')[0] ?? ''}.AAAA`])
      expect((await fetch(`${platform.running.address}/billing/invoice?token=${token}`)).status).to.equal(404);
    const opened = (await account.svc.call('billing.invoice.get', { period })).invoice;
    expect(opened.status, 'opening it pays nothing').to.equal('open');
  });
});
