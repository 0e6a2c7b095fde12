import { expect } from 'chai';
import { invoicePageUrl } from '#plugins/billing/accounts/links.js';
import { useMail } from '#test/email/support.js';
import { days } from '#test/support/clock.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { issueInvoice } from './support.js';

const asAgreed = 'Please pay it as agreed and include the invoice number.';

describe('Mails about invoices that are paid by hand', () => {
  const mails = useMail({ settings: usePrices([flat('email.message', '1')]) });
  const { platform } = mails;

  it('say to pay as agreed, and so does the page, which says too that broadcasts are held', async () => {
    const account = await platform.account();
    const period = await issueInvoice(platform, account);
    platform.clock.advance(days(22));
    await platform.settled();
    const [issued, overdue] = mails.smtp.received
      .filter(({ recipients }) => recipients.includes(account.ownerEmail))
      .map(({ parsed }) => parsed.text ?? '');
    expect(issued).to.contain(asAgreed).and.not.to.contain('payment method');
    expect(overdue).to.contain('is overdue').and.to.contain(asAgreed).and.not.to.contain('Pay now');
    const { invoice } = await account.svc.call('billing.invoice.get', { period });
    const { pathname, search } = new URL(invoicePageUrl(platform.running.services, invoice.id));
    const page = await (await fetch(new URL(pathname + search, platform.running.address))).text();
    expect(page)
      .to.contain(asAgreed)
      .and.to.contain('This invoice is overdue. Broadcasts are on hold until it is paid.');
  });
});
