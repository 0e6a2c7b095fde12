import type Stripe from 'stripe';
import type { PaymentMethod } from '../../tables/account.js';
import type { PaymentState, SetupState } from '../provider.js';
import { failureCodeOf } from './failure-codes.js';

/** What a PaymentIntent means (docs.stripe.com/payments/paymentintents/lifecycle). */
export function paymentState(intent: Stripe.PaymentIntent): PaymentState {
  switch (intent.status) {
    case 'succeeded':
      return { status: 'succeeded' };
    case 'requires_confirmation':
      return { status: 'unconfirmed' };
    case 'requires_action':
      return { status: 'requires_action', url: intent.next_action?.redirect_to_url?.url ?? null };
    case 'canceled':
      return { status: 'failed', reason: 'The payment was cancelled.', code: 'payment_cancelled' };
    case 'requires_payment_method':
      return refusedState(intent.last_payment_error);
    default:
      return { status: 'processing' };
  }
}

/**
 * A bank that requires the owner declines a charge without them; the same payment can be confirmed once they are there.
 */
function refusedState(error: Stripe.PaymentIntent.LastPaymentError | null): PaymentState {
  if (error?.code === 'authentication_required' || error?.decline_code === 'authentication_required')
    return { status: 'requires_action', url: null };
  return error?.message === undefined
    ? { status: 'failed', reason: 'The payment method can no longer be used.', code: 'method_unusable' }
    : { status: 'failed', reason: error.message, code: failureCodeOf(error) };
}

/** What a Checkout session in setup mode means. @param session with its SetupIntent and payment method expanded */
export function setupState(session: Stripe.Checkout.Session): SetupState {
  if (session.status === 'expired')
    return { status: 'failed', reason: 'The page expired before a method was added.', code: 'page_expired' };
  const { setup_intent: intent } = session;
  if (session.status !== 'complete' || intent === null || typeof intent === 'string') return { status: 'pending' };
  const { customer, payment_method: method } = intent;
  if (intent.status === 'succeeded' && method !== null && typeof method !== 'string' && customer !== null)
    return {
      status: 'active',
      customerRef: typeof customer === 'string' ? customer : customer.id,
      methodRef: method.id,
      method: describeMethod(method),
      // A method that existed before, such as one of a wallet, was chosen in this session.
      enteredAt: new Date(Math.max(method.created, session.created) * 1000),
    };
  if (intent.status === 'requires_payment_method' || intent.status === 'canceled')
    return {
      status: 'failed',
      reason: intent.last_setup_error?.message ?? 'The payment method was refused.',
      code: failureCodeOf(intent.last_setup_error) ?? (intent.last_setup_error?.message ? null : 'declined'),
    };
  return { status: 'pending' };
}

/** A card, or another method by its kind: `sepa_debit`. */
function describeMethod(method: Stripe.PaymentMethod): PaymentMethod {
  const { card, sepa_debit: sepa, us_bank_account: bank, type } = method;
  if (card)
    return {
      brand: card.brand,
      last4: card.last4,
      expires: `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`,
    };
  return { brand: bank?.bank_name ?? type, last4: sepa?.last4 ?? bank?.last4 ?? '', expires: null };
}
