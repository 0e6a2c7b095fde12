import { expect } from 'chai';
import { billingTexts } from '#plugins/billing/pages/texts/texts.js';
import { minutes } from '#test/support/clock.js';
import { useBrowser } from '#test/support/browser.js';
import type { TestAccount } from '#test/support/platform.js';
import { addCard, issueInvoice, useStripe } from './support.js';

const { lead } = billingTexts.en.invoice;

/** Stripe stores a failure under the key of a request, and repeats it for a day. */
describe('An invoice whose payment Stripe failed to create', () => {
  const { platform, stripe } = useStripe();
  const browser = useBrowser();
  const created = /payment_intents$/;
  const chargesOf = ({ ownerEmail }: TestAccount): number =>
    stripe()
      .charges()
      .filter(({ customer }) => stripe().customers.get(customer)?.email === ownerEmail).length;
  const shown = async ({ svc }: TestAccount, period: string) => svc.call('billing.invoice.get', { period });
  /** An account whose card could not be charged, because Stripe failed at the first request. */
  const failed = async (): Promise<{ account: TestAccount; period: string }> => {
    const account = await platform.account();
    await addCard(account, stripe());
    stripe().fail({ path: created, status: 500 });
    const period = await issueInvoice(platform, account);
    await platform.settled();
    expect((await shown(account, period)).invoice.status).to.equal('open');
    return { account, period };
  };

  it('is paid on its page as soon as Stripe works again, and the page does not say that it is processing', async () => {
    const { account, period } = await failed();
    const page = await browser.open({ javaScriptEnabled: false, locale: 'en-GB' });
    await page.goto((await shown(account, period)).pageUrl ?? '');
    await page.getByRole('status').getByText(lead.unavailable).waitFor();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('status').getByText(lead.paid).waitFor();
    expect(chargesOf(account)).to.equal(1);
  });

  it('is paid with another method that the owner adds, once', async () => {
    const { account, period } = await failed();
    platform.clock.advance(minutes(1));
    await addCard(account, stripe(), '4000002500003155');
    stripe().behave('succeeds');
    await platform.settled();
    await account.svc.raw('/billing/invoice/pay', JSON.stringify({ period }));
    expect((await shown(account, period)).invoice.status).to.equal('paid');
    expect(chargesOf(account)).to.equal(1);
  });

  it('is paid a few minutes later where Stripe failed again', async () => {
    const { account, period } = await failed();
    // The first of them is answered with what is stored.
    stripe().fail({ path: created, status: 500, times: 2 });
    const pay = () => account.svc.refusal('billing.invoice.pay', { period });
    expect((await pay()).message, 'the second failure').to.include('did not respond');
    expect((await pay()).message, 'both failures are stored').to.include('did not respond');
    platform.clock.advance(minutes(6));
    expect((await account.svc.call('billing.invoice.pay', { period })).invoice.status).to.equal('paid');
    platform.clock.advance(minutes(60));
    await platform.settled();
    expect(chargesOf(account)).to.equal(1);
  });

  it('says that it is processing while a worker asks Stripe', async () => {
    const { account, period } = await failed();
    const { pageUrl } = await shown(account, period);
    const confirmed = stripe().hold(/confirm$/);
    const paying = account.svc.call('billing.invoice.pay', { period });
    await confirmed.reached(1);
    const text = await (await fetch(pageUrl ?? '')).text();
    confirmed.open();
    await paying;
    expect(text).to.include(lead.processing).and.not.include('<button');
  });
});
