import type { Deployment } from '#core/kernel/deployment.js';
import { deploymentSettings } from '../settings/deployment-settings.js';
import { parsePaymentUrl } from '../settings/payment-url.js';
import type { BillingAccountRow } from '../tables/account.js';
import type { PaymentProvider } from './provider.js';
import { lazyStripe } from './stripe/provider.js';

const providers = new Map<string, PaymentProvider>();

/** The deployment's payment provider; null if invoices are paid by hand. */
export function findProvider(deployment: Pick<Deployment, 'settingsOf'>): PaymentProvider | null {
  const { paymentUrl } = deployment.settingsOf(deploymentSettings);
  const address = parsePaymentUrl(paymentUrl);
  if (!address) return null;
  const known = providers.get(paymentUrl);
  if (known) return known;
  const provider = lazyStripe(address);
  providers.set(paymentUrl, provider);
  return provider;
}

/**
 * The smallest amount that can be collected: a smaller invoice total is moved to the next invoice.
 * @param currency ISO 4217 code
 * @returns micro-units; 0 if invoices are paid by hand
 */
export const smallestPayment = (deployment: Pick<Deployment, 'settingsOf'>, currency: string): bigint =>
  findProvider(deployment)?.smallestAmount(currency) ?? 0n;

/** The account's payment method. */
export interface Payer {
  readonly provider: PaymentProvider;
  readonly customerRef: string;
  readonly methodRef: string;
}

/** @returns null if the account has no payment method of the present provider */
export function payerOf(
  deployment: Pick<Deployment, 'settingsOf'>,
  account: Pick<BillingAccountRow, 'provider' | 'customerRef' | 'paymentMethodRef'> | null,
): Payer | null {
  const provider = findProvider(deployment);
  if (!provider || account?.provider !== provider.name) return null;
  const { customerRef, paymentMethodRef: methodRef } = account;
  return customerRef === null || methodRef === null ? null : { provider, customerRef, methodRef };
}
