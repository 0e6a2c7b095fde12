import { newId } from '#core/runtime/id.js';
import { invoices } from '#plugins/billing/tables/invoice.js';
import { paymentSetups } from '#plugins/billing/tables/payment.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { startStripe, type StripeFake } from '#test/support/stripe.js';
import { addCard } from './support.js';

/* What the contract tests need to call the operations of payments. */

let running: Promise<StripeFake> | undefined;

/** One Stripe for all files of the process; it ends with it. */
const sharedStripe = (): Promise<StripeFake> => (running ??= startStripe());

export const paymentContractSettings = async (): Promise<Record<string, string>> => ({
  SVC_PAYMENT_URL: (await sharedStripe()).paymentUrl,
});

/** A setup that nobody has started at the provider. */
export async function setupIdOf(platform: TestPlatform, { accountId, live }: TestAccount): Promise<string> {
  const [id, at] = [newId(), platform.clock.now()];
  await platform.running.services.database.insert(paymentSetups, {
    ...{ id, accountId, environmentId: live.id, provider: 'stripe', providerId: null, returnUrl: null },
    ...{ status: 'pending', reason: null, activityId: null, createdAt: at, endedAt: null },
    expiresAt: new Date(at.getTime() + 3_600_000),
  });
  return id;
}

/** What the examples of payments cannot know. */
export const filledInForPayments: Readonly<
  Record<string, (account: TestAccount, platform: TestPlatform) => Promise<object>>
> = {
  'billing.payment.confirm': async ({ svc }) => {
    const { setupId, url } = await svc.call('billing.payment.setup', {});
    await (await sharedStripe()).enterCard(url, '4242424242424242');
    return { setupId };
  },
  'billing.invoice.pay': async (account, platform) => {
    await addCard(account, await sharedStripe());
    const [id, at] = [newId(), platform.clock.now()];
    await platform.running.services.database.insert(invoices, {
      ...{
        id,
        accountId: account.accountId,
        period: '2026-10',
        number: id.slice(0, 32),
        status: 'open',
        currency: 'USD',
      },
      ...{ subtotal: 14_000_000n, credit: 0n, taxPercent: 0n, tax: 0n, total: 14_000_000n, carried: 0n },
      ...{ letterhead: null, details: null, accountName: 'Acme', issuedAt: at, dueAt: at, createdAt: at },
      ...{ paidAt: null, voidedAt: null, failures: 0, lastFailedAt: null, lastFailure: null },
    });
    return { period: '2026-10' };
  },
};
