import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { flat, usePrices } from '#test/billing/prices.js';
import { closeMonths, endMonth, meter, usageOf } from '../support.js';
import { freePort } from '#test/support/free-port.js';
import { usePlatform, type TestAccount, type TestPlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { startStripe, type StripeFake } from '#test/support/stripe.js';

/** A platform whose invoices Stripe collects; a message costs a dollar. Call it inside `describe`. */
export function useStripe(settings: Record<string, string> = {}): { platform: TestPlatform; stripe: () => StripeFake } {
  const parts: { stripe?: StripeFake } = {};
  const prices = usePrices([flat('email.message', '1')], settings['SVC_CURRENCY']);
  needProducts('billing');
  const platform = usePlatform({
    settings: async () => {
      parts.stripe = await startStripe();
      // Banks and the provider lead back to it.
      const port = String(await freePort());
      return { SVC_PORT: port, ...(await prices()), SVC_PAYMENT_URL: parts.stripe.paymentUrl, ...settings };
    },
  });
  after(() => parts.stripe?.close());
  return {
    platform,
    stripe() {
      if (!parts.stripe) throw new Error('Stripe is not running yet.');
      return parts.stripe;
    },
  };
}

/** Adds a payment method, as an owner does. @returns the setup's id */
export async function addCard(
  { svc }: Pick<TestAccount, 'svc'>,
  stripe: StripeFake,
  card = '4242424242424242',
): Promise<string> {
  const { setupId, url } = await svc.call('billing.payment.setup', {});
  await stripe.enterCard(url, card);
  await svc.call('billing.payment.confirm', { setupId });
  return setupId;
}

/** Uses what costs an amount, and closes the month. @returns the month */
export async function issueInvoice(
  platform: TestPlatform,
  { live }: Pick<TestAccount, 'live'>,
  dollars = 14,
): Promise<string> {
  await meter(platform, live, usageOf('email.message', dollars));
  const period = endMonth(platform);
  await closeMonths(platform);
  return period;
}

/**
 * Expects these system mails in the live environment, by template, oldest first. A deployment without email has none.
 */
export async function expectMails(
  { running }: TestPlatform,
  { live }: Pick<TestAccount, 'live'>,
  templates: readonly string[],
): Promise<void> {
  if (!running.services.deployment.products.includes('email')) return;
  const rows = await running.services.database.rows<{ template: Buffer }>(
    'SELECT template FROM email_message WHERE environment_id = ? AND is_system = 1 ORDER BY id',
    [idBytes(live.id)],
  );
  expect(rows.map(({ template }) => template.toString())).to.deep.equal(templates);
}
