import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { formsPerSubject, requestsPerAddress } from '#plugins/billing/pages/limits.js';
import { billingTexts } from '#plugins/billing/pages/texts/texts.js';
import { invoicePageUrl } from '#plugins/billing/accounts/links.js';
import { idBytes } from '#core/runtime/id.js';
import { useBrowser } from '#test/support/browser.js';
import { days, minutes } from '#test/support/clock.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import type { TestAccount } from '#test/support/platform.js';
import { addCard, issueInvoice, useStripe } from './support.js';

const { en } = billingTexts;

/** With SVC_TEST_SCREENSHOTS set to a folder, pictures of each page in each look. */
describe('How the pages of invoices and payment methods look and behave', function () {
  this.timeout(120_000);
  const { platform, stripe } = useStripe();
  const browser = useBrowser();
  // So that no test meets the limit of the one before.
  beforeEach(() => platform.clock.advance(minutes(1)));

  const open = async (url: string): Promise<Page> => {
    const page = await browser.open({ bypassCSP: true, locale: 'en-GB' });
    await page.goto(url);
    return page;
  };
  const invoiceUrl = async ({ accountId }: Pick<TestAccount, 'accountId'>): Promise<string> => {
    const { services } = platform.running;
    const [row] = await services.database.rows<{ id: string }>(
      "SELECT LOWER(INSERT(INSERT(INSERT(INSERT(HEX(id), 9, 0, '-'), 14, 0, '-'), 19, 0, '-'), 24, 0, '-')) AS id FROM billing_invoice WHERE account_id = ? ORDER BY id DESC LIMIT 1",
      [idBytes(accountId)],
    );
    return invoicePageUrl(services, row?.id ?? '');
  };
  it('an invoice in each of its states, in light, dark and on a phone', async () => {
    const without = await platform.account();
    await issueInvoice(platform, without);
    await expectGoodLooks(await open(await invoiceUrl(without)), 'invoice-no-method');

    const paying = await platform.account();
    await addCard(paying, stripe());
    await issueInvoice(platform, paying);
    await expectGoodLooks(await open(await invoiceUrl(paying)), 'invoice-paid');

    const asked = await platform.account();
    await addCard(asked, stripe(), '4000002500003155');
    await issueInvoice(platform, asked);
    await expectGoodLooks(await open(await invoiceUrl(asked)), 'invoice-confirm');

    const slow = await platform.account();
    await addCard(slow, stripe(), '4000000000000077');
    await issueInvoice(platform, slow);
    await expectGoodLooks(await open(await invoiceUrl(slow)), 'invoice-processing');

    const declined = await platform.account();
    await addCard(declined, stripe(), '4000000000009995');
    await issueInvoice(platform, declined);
    const url = await invoiceUrl(declined);
    const page = await open(url);
    await page.getByText('The account has insufficient funds.').waitFor();
    await expectGoodLooks(page, 'invoice-failed');
    // The last look is that of a phone: buttons are as wide as the page lets them be.
    const widths = await page
      .getByRole('button')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
    const facts = await page.locator('dl').boundingBox();
    expect(widths).to.deep.equal([facts?.width, facts?.width]);
    for (let day = 0; day < 22; day += 1) {
      platform.clock.advance(days(1));
      await platform.settled();
    }
    await page.reload();
    await page.getByRole('status').getByText(en.invoice.lead.past_due).waitFor();
    await expectGoodLooks(page, 'invoice-past-due');
  });

  it('the page of a payment method: before, on the way, stored, and failed', async () => {
    const { svc } = await platform.account();
    const first = await svc.call('billing.payment.setup', { returnUrl: 'https://shop.example/account' });
    const back = await stripe().enterCard(first.url, '1');
    const failed = await open(back);
    await failed.getByText(/The payment method wasn’t saved/).waitFor();
    await expectGoodLooks(failed, 'method-failed');
    const second = await svc.call('billing.payment.setup', {});
    const stored = await open(await stripe().enterCard(second.url, '4242424242424242'));
    await stored.getByText(en.method.active).waitFor();
    await expectGoodLooks(stored, 'method-stored');
  });

  it('can be used with only the keyboard: focus is visible, in the order of the page', async () => {
    const account = await platform.account();
    await addCard(account, stripe(), '4000000000009995');
    await issueInvoice(platform, account);
    const page = await open(await invoiceUrl(account));
    const focused = async (): Promise<unknown> => {
      await page.keyboard.press('Tab');
      return page.evaluate(
        `(() => { const { activeElement: element } = document; const { outlineStyle } = getComputedStyle(element);
          return [element.textContent.trim(), outlineStyle !== 'none']; })()`,
      );
    };
    expect(await focused()).to.deep.equal(['Pay US$14.00', true]);
    expect(await focused()).to.deep.equal([en.invoice.otherMethod, true]);
    expect(await focused()).to.deep.equal([en.invoice.pdf, true]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox').waitFor();
  });

  it('limit requests per address and minute, and forms per invoice', async () => {
    const account = await platform.account();
    await issueInvoice(platform, account);
    const url = await invoiceUrl(account);
    const statuses = async (count: number, method: 'GET' | 'POST'): Promise<number[]> => {
      const answers: number[] = [];
      for (let each = 0; each < count; each += 1) {
        const body = method === 'POST' ? new URLSearchParams({ action: 'pay' }) : null;
        const answer = await fetch(url, { method, body, redirect: 'manual' });
        await answer.arrayBuffer();
        answers.push(answer.status);
      }
      return answers;
    };
    const forms = await statuses(formsPerSubject.max + 1, 'POST');
    expect(forms.filter((status) => status === 429)).to.have.length(1);
    expect(forms.at(-1)).to.equal(429);
    const left = requestsPerAddress.max - forms.length;
    expect(new Set(await statuses(left, 'GET'))).to.deep.equal(new Set([200]));
    const refused = await fetch(url, { headers: { 'Accept-Language': 'de' } });
    expect(refused.status).to.equal(429);
    expect(await refused.text()).to.contain('lang="de"');
    platform.clock.advance(minutes(1));
    expect(await statuses(1, 'GET'), 'a minute later').to.deep.equal([200]);
    expect(await statuses(1, 'POST'), 'its forms wait longer').to.deep.equal([429]);
    platform.clock.advance(minutes(10));
    expect(await statuses(1, 'POST')).to.deep.equal([303]);
  });
});
