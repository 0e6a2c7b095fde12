import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { flat, usePrices } from '#test/billing/prices.js';
import { addCard, issueInvoice } from '#test/billing/payment/support.js';
import { closeMonths, meter, operatorOf, usageOf } from '#test/billing/support.js';
import { days, hours, minutes } from '#test/support/clock.js';
import { freePort } from '#test/support/free-port.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import type { TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startStripe, type StripeFake } from '#test/support/stripe.js';
import { eventually } from '#test/support/eventually.js';
import { useConsole } from './support.js';

const hostile = "<img src=x onerror=\"document['title']='ow'+'ned'\">";

describe('The console, for money', function () {
  needProducts('billing', 'email');
  this.timeout(180_000);
  const parts: { stripe?: StripeFake } = {};
  const prices = usePrices([flat('email.message', '1')]);
  const test = useConsole({
    async settings() {
      parts.stripe = await startStripe();
      // The provider leads back to it.
      return { SVC_PORT: String(await freePort()), ...(await prices()), SVC_PAYMENT_URL: parts.stripe.paymentUrl };
    },
  });
  const { platform } = test;
  after(() => parts.stripe?.close());
  const stripe = (): StripeFake => {
    if (!parts.stripe) throw new Error('Stripe is not running yet.');
    return parts.stripe;
  };

  /** An account whose invoice of last month is overdue, with a credit and a project with a hostile name. */
  async function pastDue(): Promise<TestAccount & { period: string }> {
    const account = await platform.account();
    await account.svc.call('account.project.update', { projectId: account.projectId, name: hostile });
    const period = await issueInvoice(platform, account);
    platform.clock.advance(days(30));
    await closeMonths(platform);
    return { ...account, period };
  }

  it('an owner reads an unpaid invoice and pays it on its page', async () => {
    const account = await platform.account();
    await account.svc.call('account.project.update', { projectId: account.projectId, name: hostile });
    const period = await issueInvoice(platform, account);
    const page = await test.open(account, 'billing/invoice', { acceptDownloads: true });
    await page
      .getByRole('row', { name: /Open.*\$14\.00.*SVC-\d+/ })
      .getByRole('link')
      .click();
    await page.getByText(/^\$14\.00, due on /).waitFor();
    await page
      .getByRole('row', { name: /14 × \$1\.00 \$14\.00/ })
      .getByText(hostile)
      .waitFor();

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download PDF' }).click(),
    ]);
    expect(file.suggestedFilename()).to.match(/^SVC-\d+\.pdf$/);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).to.equal('%PDF-');

    const [paying] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Open payment page' }).click(),
    ]);
    await paying.getByRole('button', { name: /Add a payment method/ }).click();
    await paying.getByRole('textbox').fill('4242424242424242');
    await paying.getByRole('button', { name: 'Save card' }).click();
    await paying.getByRole('heading', { name: /Invoice SVC-/ }).waitFor();
    await platform.settled();
    await page.reload();
    await page.locator('.head').getByText('Paid').waitFor();
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
    expect(await page.title()).to.not.contain('owned');
    expect(test.complaints).to.deep.equal([]);
  });

  it('offers no payment while the bank is deciding about one, and shows no earlier failure', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000002500003155');
    const period = await issueInvoice(platform, account);
    const page = await test.open(account, `billing/invoice/${period}`);
    await page.getByText(/The last attempt failed on .*: The bank requires confirmation\./).waitFor();
    await page.getByRole('button', { name: 'Pay $14.00' }).waitFor();

    platform.clock.advance(minutes(1));
    await addCard(account, stripe(), '4000000000000077');
    await platform.settled();
    expect((await account.svc.call('billing.invoice.get', { period })).invoice).to.include({
      status: 'open',
      lastFailure: null,
    });
    await page.reload();
    await page.getByText('It is being collected from the payment method').waitFor();
    await page.getByRole('link', { name: 'Open payment page' }).waitFor();
    expect(await page.getByText('The last attempt failed').count()).to.equal(0);
    expect(await page.getByRole('button', { name: /^Pay/ }).count()).to.equal(0);

    stripe().decide('failed');
    platform.clock.advance(hours(7));
    await platform.settled();
    await page.reload();
    await page.getByText(/The last attempt failed on .*: The payment failed\./).waitFor();
    await page.getByRole('button', { name: 'Pay $14.00' }).waitFor();
    expect(test.complaints).to.deep.equal([]);
  });

  it('leads to the page on which an owner confirms a payment that the bank asks about', async () => {
    const account = await platform.account();
    const setup = await test.open(account, 'billing/payment');
    await setup.getByRole('button', { name: 'Add payment method' }).click();
    await setup.getByRole('dialog').getByRole('button', { name: 'Add payment method' }).click();
    await setup.getByRole('textbox').fill('4000002500003155');
    await setup.getByRole('button', { name: 'Save card' }).click();
    await setup.getByText('ending in').waitFor();
    const period = await issueInvoice(platform, account);
    await platform.settled();
    const page = await test.open(account, `billing/invoice/${period}`);
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: /^Pay/ }).click();
    const lead = page.getByRole('dialog').getByRole('link', { name: 'Open the page' });
    const [confirming] = await Promise.all([page.waitForEvent('popup'), lead.click()]);
    await confirming.getByRole('button', { name: 'Confirm the payment' }).waitFor();
  });

  it('adds a payment method on the provider’s page and comes back; a viewer sees no payment page', async () => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    const email = `viewer-${account.accountId}@example.com`;
    await account.svc.call('account.member.invite', { email, role: 'viewer' });
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.run("UPDATE account_member SET status = 'active', proven_at = created_at WHERE email = ?", [email]);
    });
    const viewer = await test.open(account, `billing/invoice/${period}`, { email });
    await viewer.getByText('Your role can view invoices but not pay them.').waitFor();
    expect(await viewer.getByRole('link', { name: 'Open payment page' }).count()).to.equal(0);

    const page = await test.open(account, 'billing/payment');
    await page.getByRole('button', { name: 'Add payment method' }).click();
    await page.getByRole('dialog').getByText('You enter it on a page of the payment provider').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Add payment method' }).click();
    await page.getByRole('textbox').fill('4242424242424242');
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByText('ending in').waitFor();
    expect(page.url()).to.match(/\/billing\/payment$/);
    await platform.settled();
    expect((await account.svc.call('billing.invoice.get', { period })).invoice.status).to.equal('paid');
    expect(test.complaints).to.deep.equal([]);
  });

  it('changes the cap in place, beside what was spent, and shows a refusal there', async () => {
    const account = await platform.account();
    await meter(platform, account.live, usageOf('email.message', 12));
    const page = await test.open(account, 'billing/usage');
    await page.locator('dl.numbers').getByText('$12.00').last().waitFor();
    await page.getByLabel('Monthly cap in USD').fill('5');
    await page.getByRole('button', { name: 'Set cap' }).click();
    await page.getByText(/cap_below_usage/).waitFor();
    await page.getByLabel('Monthly cap in USD').fill('40');
    await page.getByRole('button', { name: 'Set cap' }).click();
    await page.getByText('$28.00 left of $40.00.').waitFor();
    expect((await account.svc.call('billing.get', {})).cap).to.deep.equal({ currency: 'USD', amount: '40.00' });
    // What is typed stays if somebody else changes the cap.
    await page.getByLabel('Monthly cap in USD').fill('45');
    await account.svc.call('billing.cap.set', { amount: '60' });
    await eventually(
      async () => {
        await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
        return page.getByText('60.00').first().isVisible();
      },
      'the cap of somebody else',
      20_000,
      250,
    );
    expect(await page.getByLabel('Monthly cap in USD').inputValue()).to.equal('45');
    await page.getByRole('button', { name: 'Remove cap' }).click();
    await page.getByText('No cap is set.').waitFor();
    expect(test.complaints).to.deep.equal([]);
  });

  it('explains what past due means and leads to the invoice; is accessible and fits phones', async () => {
    const account = await pastDue();
    await operatorOf(platform).call('billing.credit.record', {
      accountId: account.accountId,
      amount: '3.00',
      reason: `Goodwill ${hostile}`,
    });
    await account.svc.call('billing.details.set', { name: hostile, taxId: 'DE123456789' });
    const screens = {
      invoices: 'billing/invoice',
      invoice: `billing/invoice/${account.period}`,
      payment: 'billing/payment',
      usage: 'billing/usage',
    };
    for (const [name, path] of Object.entries(screens)) {
      const page = await test.open(account, path, { bypassCSP: true });
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      if (name !== 'invoice') await page.getByRole('link', { name: /^Pay the invoice of/ }).waitFor();
      await page.getByText(/Broadcasts are held until it is paid/).waitFor();
      await expectGoodLooks(page, `console-${name}`);
      expect(await page.title()).to.not.contain('owned');
      await page.close();
    }
  });
});
