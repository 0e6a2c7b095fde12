import type Stripe from 'stripe';
import type { Aftermath } from '../provider.js';
import { microsOfStripe } from './amounts.js';

/** The events after which the state of a payment that had succeeded may change (docs.stripe.com/api/events/types). */
const types = [
  'charge.failed',
  'charge.refunded',
  'charge.refund.updated',
  'refund.failed',
  'refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
];

/**
 * Disputes in which Stripe has taken the money from the deployment's account: returned bank debits begin as lost
 * disputes. Inquiries (warning_…) have taken nothing (docs.stripe.com/disputes/how-disputes-work).
 */
const takenBack: readonly string[] = [
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
];

/** Stripe's times are whole seconds of Stripe's clock. Events may be listed a little later than they were created. */
const overlapSeconds = 3_600;

/** The payments that events are about. Stripe keeps events for 30 days. @param since null for all that it has */
export async function changedPayments(
  stripe: Stripe,
  since: Date | null,
): Promise<{ providerIds: string[]; newest: Date | null }> {
  const created = since === null ? {} : { created: { gte: Math.floor(since.getTime() / 1000) - overlapSeconds } };
  const providerIds = new Set<string>();
  let newest = 0;
  for await (const event of stripe.events.list({ types, limit: 100, ...created })) {
    newest = Math.max(newest, event.created);
    const providerId = paymentOf(event.data.object);
    if (providerId !== null) providerIds.add(providerId);
  }
  return { providerIds: [...providerIds], newest: newest === 0 ? null : new Date(newest * 1000) };
}

/** The PaymentIntent that an object is or refers to. */
function paymentOf(given: object): string | null {
  if ('object' in given && given.object === 'payment_intent')
    return 'id' in given && typeof given.id === 'string' ? given.id : null;
  return 'payment_intent' in given && typeof given.payment_intent === 'string' ? given.payment_intent : null;
}

/** What happened to a payment after it had succeeded. */
export async function readAftermath(stripe: Stripe, providerId: string): Promise<Aftermath> {
  const intent = await stripe.paymentIntents.retrieve(providerId, { expand: ['latest_charge'] });
  const { latest_charge: charge, last_payment_error: problem } = intent;
  const refunded =
    charge === null || typeof charge === 'string'
      ? 0n
      : microsOfStripe(charge.amount_refunded, intent.currency.toUpperCase());
  if (intent.status !== 'succeeded')
    return { refunded, takenBack: { reason: problem?.message ?? 'The payment failed after it had succeeded.' } };
  for await (const { status, reason } of stripe.disputes.list({ payment_intent: providerId, limit: 100 }))
    if (takenBack.includes(status)) return { refunded, takenBack: { reason: `Disputed at the bank: ${reason}.` } };
  return { refunded, takenBack: null };
}
