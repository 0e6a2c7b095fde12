import type { Deployment } from '#core/kernel/deployment.js';
import { deploymentSettings } from '../deployment-settings.js';
import { parsePaymentUrl } from './payment-url.js';
import type { PaymentProvider } from './provider.js';
import { lazyStripe } from './stripe/provider.js';

const providers = new Map<string, PaymentProvider>();

/** The deployment's payment provider; null where invoices are paid by hand. */
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
 * The smallest amount that can be collected: what an invoice comes to below it is moved to the next one.
 * @param currency ISO 4217 code
 * @returns micro-units; 0 where invoices are paid by hand
 */
export const smallestPayment = (deployment: Pick<Deployment, 'settingsOf'>, currency: string): bigint =>
  findProvider(deployment)?.smallestAmount(currency) ?? 0n;
