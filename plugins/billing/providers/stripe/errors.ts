import { PaymentRefused, PaymentUnavailable } from '../provider.js';

/** The fields of the client's errors that distinguish them. */
interface StripeFacts {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
}

export const isStripeError = (error: unknown): error is Error & StripeFacts =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe');

/** Errors that are not about the request itself: it may be repeated. */
const unavailable: readonly string[] = [
  'StripeConnectionError',
  'StripeAPIError',
  'StripeRateLimitError',
  'StripeAuthenticationError',
  'StripePermissionError',
  'StripeIdempotencyError',
];

/** What a failed request means for the platform. Stripe's messages contain no secrets: Stripe masks keys itself. */
export function translateError(error: unknown): unknown {
  if (!isStripeError(error)) return error;
  if (unavailable.includes(error.type) || error.code === 'lock_timeout')
    return new PaymentUnavailable(error.message, { cause: error });
  return new PaymentRefused(error.message, error.code === 'resource_missing' && error.param === 'customer');
}

export const isCardError = (error: unknown): boolean => isStripeError(error) && error.type === 'StripeCardError';
