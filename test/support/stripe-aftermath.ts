import { randomBytes } from 'node:crypto';
import type { FakeRequest } from './http-fake.js';

/** What the fake Stripe reports about payments after they succeeded: events, refunds and disputes. */
export interface StripeAftermath {
  /**
   * Refunds part of a payment, as in Stripe's dashboard. @param amount the total refunded, in the currency's smallest
   * unit
   */
  refund(intentId: string, amount: number): void;
  /** Opens or decides the dispute of a payment; returned bank debits are `lost` immediately. */
  dispute(intentId: string, status: string, reason?: string): void;
  /** Writes an event about a payment. */
  note(type: string, intentId: string): void;
  /** The charge of a payment, as Stripe shows it expanded. */
  chargeOf(intentId: string): object;
  /** Answers GET /v1/events and GET /v1/disputes; undefined for another resource. */
  answer(resource: string, request: Pick<FakeRequest, 'query'>): object | undefined;
}

const id = (prefix: string): string => `${prefix}_${randomBytes(9).toString('hex')}`;

/** Lists have one object per page, so that a client that reads them must follow the pages. */
function page(found: readonly { id: string }[], query: URLSearchParams): object {
  const after = query.get('starting_after');
  const from = after === null ? 0 : found.findIndex((each) => each.id === after) + 1;
  return { object: 'list', url: '/v1', data: found.slice(from, from + 1), has_more: from + 1 < found.length };
}

/** @param now Stripe's clock */
export function stripeAftermath(now: () => Date): StripeAftermath {
  const refunded = new Map<string, number>();
  const disputes = new Map<string, { id: string; status: string; reason: string; payment_intent: string }>();
  const events: { id: string; type: string; created: number; data: object }[] = [];
  const chargeOf = (intentId: string): object => ({
    id: `ch_${intentId}`,
    object: 'charge',
    payment_intent: intentId,
    amount_refunded: refunded.get(intentId) ?? 0,
    disputed: disputes.has(intentId),
  });
  const write = (type: string, object: object): void => {
    // Newest first.
    events.unshift({ id: id('evt'), type, created: Math.floor(now().getTime() / 1000), data: { object } });
  };
  return {
    chargeOf,
    refund(intentId, amount) {
      refunded.set(intentId, amount);
      write('charge.refunded', chargeOf(intentId));
    },
    dispute(intentId, status, reason = 'fraudulent') {
      const known = disputes.get(intentId);
      const dispute = { id: known?.id ?? id('du'), object: 'dispute', status, reason, payment_intent: intentId };
      disputes.set(intentId, dispute);
      write(known ? 'charge.dispute.closed' : 'charge.dispute.created', dispute);
    },
    note: (type, intentId) => write(type, { id: intentId, object: 'payment_intent' }),
    answer(resource, { query }) {
      if (resource === 'disputes')
        return page(
          [...disputes.values()].filter((each) => each.payment_intent === query.get('payment_intent')),
          query,
        );
      if (resource !== 'events') return undefined;
      const since = Number(query.get('created[gte]') ?? 0);
      const wanted = new Set([...query].filter(([name]) => name.startsWith('types')).map(([, type]) => type));
      return page(
        events.filter(({ type, created }) => wanted.has(type) && created >= since),
        query,
      );
    },
  };
}
