import type { RefusalCause } from '../provider.js';
import { failureCodeOf } from './failure-codes.js';

/**
 * Codes about the deployment's Stripe account or about svc's request (docs.stripe.com/error-codes): the payer can do
 * nothing about them.
 */
const aboutDeployment: readonly string[] = [
  ...['account_country_invalid_address', 'account_invalid', 'amount_too_large', 'api_key_expired'],
  ...['country_code_invalid', 'country_unsupported', 'livemode_mismatch', 'not_allowed_on_standard_account'],
  ...['parameter_invalid_empty', 'parameter_invalid_integer', 'parameter_invalid_string_blank'],
  ...['parameter_invalid_string_empty', 'parameter_missing', 'parameter_unknown', 'parameters_exclusive'],
  ...['payment_intent_incompatible_payment_method', 'payment_method_not_available', 'payment_method_unactivated'],
  ...['payment_method_unsupported_type', 'platform_account_required', 'platform_api_key_expired'],
  ...['secret_key_required', 'testmode_charges_only', 'tls_version_unsupported', 'url_invalid'],
];

/** The fields of a request that say how the deployment charges, and nothing about the payer. */
const deploymentFields: readonly string[] = [
  ...['amount', 'currency', 'automatic_payment_methods', 'payment_method_types', 'return_url', 'off_session'],
  ...['description', 'metadata'],
];

/** What Stripe's words are about if a refusal has neither a code nor a field. */
const payerWords = /payment ?method|customer|mandate|\bcard\b/i;

interface Facts {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
}

/** What a request that Stripe refused is about. What a bank declined is always about the payer. */
export function causeOf(error: Facts): RefusalCause {
  const { type, code, param, message } = error;
  if (code === 'amount_too_small') return 'too_small';
  if (type === 'StripeCardError') return 'payer';
  if (code === 'resource_missing') return param === 'customer' ? 'customer' : 'payer';
  if (code !== undefined && aboutDeployment.includes(code)) return 'deployment';
  if (failureCodeOf(error) !== null) return 'payer';
  if (param !== undefined) return deploymentFields.includes(param.split('[')[0] ?? '') ? 'deployment' : 'payer';
  // Stripe has not enabled charges for the account, or something else that has no code.
  return payerWords.test(message) ? 'payer' : 'deployment';
}
