import type Stripe from 'stripe';
import type { StripeAddress } from '../../settings/payment-url.js';
import {
  PaymentRefused,
  PaymentUnavailable,
  type Confirmation,
  type PaymentProvider,
  type PaymentState,
} from '../provider.js';
import { changedPayments, readAftermath } from './aftermath.js';
import { smallestStripeAmount, stripeAmount } from './amounts.js';
import { failureCodeOf } from './failure-codes.js';
import { causeOf } from './refusal-causes.js';
import { paymentState, setupState } from './state.js';

/** A slower answer counts as none; Stripe mostly answers confirmations within 20 s. */
const timeoutMs = 40_000;

/** The Stripe provider. It uses Stripe's own client, which is loaded at the first request. */
export function lazyStripe({ key, host, port, protocol }: StripeAddress): PaymentProvider {
  let loading: Promise<Stripe> | undefined;
  const connect = async (): Promise<Stripe> => {
    const { default: Client } = await import('stripe');
    return new Client(key, { host, port, protocol, timeout: timeoutMs, maxNetworkRetries: 1, telemetry: false });
  };
  return stripeProvider(async (ask) => {
    loading ??= connect();
    const stripe = await loading;
    try {
      return await ask(stripe);
    } catch (error) {
      throw translateError(error);
    }
  });
}

/** Makes a request to Stripe. @throws PaymentRefused, PaymentUnavailable */
type Ask = <T>(request: (stripe: Stripe) => Promise<T>) => Promise<T>;

const stripeProvider = (ask: Ask): PaymentProvider => ({
  name: 'stripe',
  smallestAmount: smallestStripeAmount,

  createCustomer: ({ key, accountId, name, email }) =>
    ask(async (stripe) => {
      const facts = { name, ...(email === null ? {} : { email }), metadata: { svc_account: accountId } };
      return (await stripe.customers.create(facts, { idempotencyKey: key })).id;
    }),

  startSetup: ({ setupId, customerRef, currency, expiresAt, returnUrl }) =>
    ask(async (stripe) => {
      const { id, url } = await stripe.checkout.sessions.create(
        {
          mode: 'setup',
          customer: customerRef,
          currency: currency.toLowerCase(),
          client_reference_id: setupId,
          success_url: returnUrl,
          cancel_url: returnUrl,
          expires_at: Math.floor(expiresAt.getTime() / 1000),
        },
        // A repeat for another customer is a different request.
        { idempotencyKey: `svc-setup-${setupId}-${customerRef}` },
      );
      if (url === null) throw new PaymentRefused('Stripe started a Checkout session without a page.', 'deployment');
      return { providerId: id, url };
    }),

  readSetup: (providerId) =>
    ask(async (stripe) =>
      setupState(await stripe.checkout.sessions.retrieve(providerId, { expand: ['setup_intent.payment_method'] })),
    ),

  createPayment: ({ attemptId, key, customerRef, methodRef, amount, currency, description }) =>
    ask(async (stripe) => {
      const { id } = await stripe.paymentIntents.create(
        {
          amount: stripeAmount(amount, currency),
          currency: currency.toLowerCase(),
          customer: customerRef,
          payment_method: methodRef,
          automatic_payment_methods: { enabled: true },
          description,
          metadata: { svc_attempt: attemptId },
        },
        { idempotencyKey: `svc-payment-${key}` },
      );
      return id;
    }),

  confirmPayment: (confirmation) => confirm(ask, confirmation),
  readPayment: (providerId) => ask(async (stripe) => paymentState(await stripe.paymentIntents.retrieve(providerId))),

  cancelPayment: (providerId) =>
    ask(async (stripe) => {
      const current = paymentState(await stripe.paymentIntents.retrieve(providerId));
      if (['succeeded', 'processing'].includes(current.status)) return current;
      try {
        return paymentState(await stripe.paymentIntents.cancel(providerId));
      } catch {
        // It was decided in the meantime, or cancelled before.
        return paymentState(await stripe.paymentIntents.retrieve(providerId));
      }
    }),

  changedPayments: (since) => ask((stripe) => changedPayments(stripe, since)),
  readAftermath: (providerId) => ask((stripe) => readAftermath(stripe, providerId)),
});

/**
 * Confirms a PaymentIntent. It is charged once, no matter how often it is confirmed: Stripe refuses to confirm one that
 * has ended. After a refusal, its state is read.
 */
const confirm = (ask: Ask, { providerId, methodRef, ownerIsThere, returnUrl }: Confirmation): Promise<PaymentState> =>
  ask(async (stripe) => {
    try {
      const intent = await stripe.paymentIntents.confirm(providerId, {
        payment_method: methodRef,
        // Required because methods that lead to another site may be enabled, even if none is used.
        return_url: returnUrl,
        ...(ownerIsThere ? {} : { off_session: true }),
      });
      return paymentState(intent);
    } catch (error) {
      const refused = translateError(error);
      if (!(refused instanceof PaymentRefused) || refused.about === 'too_small') throw error;
      const state = paymentState(await stripe.paymentIntents.retrieve(providerId));
      if (state.status === 'unconfirmed' && refused.about === 'deployment') throw error;
      // A refusal that left its state unchanged, such as a detached method.
      if (state.status === 'unconfirmed' && !isCardError(error)) {
        const code = failureCodeOf(isStripeError(error) ? error : null);
        return { status: 'failed', reason: refused.message, code };
      }
      return state;
    }
  });

/** The fields of the client's errors that distinguish them. */
interface StripeFacts {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const isStripeError = (error: unknown): error is Error & StripeFacts =>
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

/** Those of them that the operator must act on: the key is wrong, or may not do what svc asks. */
const setupProblems: readonly string[] = ['StripeAuthenticationError', 'StripePermissionError'];

/** Another request is being carried out: for the same object, or with the same key. */
const busy: readonly string[] = ['lock_timeout', 'idempotency_key_in_use'];

/**
 * Whether an answer is what Stripe has stored under the request's key (docs.stripe.com/api/idempotent_requests), or
 * Stripe has stored one for other parameters under it.
 */
const isStored = ({ type, code, headers }: StripeFacts): boolean =>
  headers?.['idempotent-replayed'] === 'true' || (type === 'StripeIdempotencyError' && !busy.includes(code ?? ''));

/** What a failed request means for the platform. Stripe's messages contain no secrets: Stripe masks keys itself. */
function translateError(error: unknown): unknown {
  if (!isStripeError(error)) return error;
  if (unavailable.includes(error.type) || busy.includes(error.code ?? ''))
    return new PaymentUnavailable(error.message, { cause: error }, isStored(error), setupProblems.includes(error.type));
  return new PaymentRefused(error.message, causeOf(error), isStored(error));
}

const isCardError = (error: unknown): boolean => isStripeError(error) && error.type === 'StripeCardError';
