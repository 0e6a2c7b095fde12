/* What the fake Stripe knows about cards and currencies. */

/** How the bank answers charges of a method. */
export type Behaviour = 'succeeds' | 'declines' | 'no_funds' | 'unknown_reason' | 'asks_owner' | 'takes_days';

/** The test cards that a person may enter on the Checkout page, as at Stripe. */
export const cards: Readonly<Record<string, Behaviour>> = {
  '4242424242424242': 'succeeds',
  '4000000000000341': 'declines',
  '4000000000009995': 'no_funds',
  // Not one of Stripe's: a decline of a type that was introduced later.
  '4000000000000998': 'unknown_reason',
  '4000002500003155': 'asks_owner',
  '4000000000000077': 'takes_days',
};

/** Stripe accepts eight digits for most currencies, and more for the ones with small units. */
export const largestAmounts: Readonly<Record<string, number>> = {
  idr: 999_999_999_999,
  inr: 999_999_999,
  cop: 9_999_999_999,
};

/** A card that was entered on a page. */
export interface Method {
  id: string;
  last4: string;
  behaviour: Behaviour;
  customer: string | null;
  created: number;
}

/** A Checkout session in setup mode. */
export interface Session {
  id: string;
  customer: string;
  status: 'open' | 'complete' | 'expired';
  returnUrl: string;
  created: number;
  /** null until a card is entered. */
  method: string | null;
  refused: boolean;
}

/**
 * What happens to the next request of a path: it is answered with an error, or it is carried out and then its
 * connection breaks.
 */
export interface Fault {
  path: RegExp;
  status?: number;
  breaks?: 'before' | 'after';
  /** How many requests it applies to; default 1. */
  times?: number;
}

/** An error that Stripe answers. */
export interface Refusal {
  message: string;
  code?: string;
  param?: string;
}
