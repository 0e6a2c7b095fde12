import { divideHalfEven, unit } from '../../money/micros.js';

/**
 * Currencies whose amounts Stripe takes in whole units. It takes all others in hundredths, including the ones that have
 * no coins (HUF, ISK, UGX).
 */
const wholeUnits = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/**
 * The smallest charges that Stripe takes (docs.stripe.com/currencies, Minimum and maximum charge amounts), in cents of
 * the unit.
 */
const smallestCents: Readonly<Record<string, bigint>> = {
  AED: 200n,
  AUD: 50n,
  BGN: 100n,
  BRL: 50n,
  CAD: 50n,
  CHF: 50n,
  CZK: 1500n,
  DKK: 250n,
  EUR: 50n,
  GBP: 30n,
  HKD: 400n,
  HUF: 17500n,
  INR: 50n,
  JPY: 5000n,
  MXN: 1000n,
  MYR: 200n,
  NOK: 300n,
  NZD: 50n,
  PLN: 200n,
  RON: 200n,
  SEK: 300n,
  SGD: 50n,
  THB: 1000n,
  USD: 50n,
};

/** @returns micro-units; half a unit for a currency for which Stripe states no minimum */
export const smallestStripeAmount = (currency: string): bigint => ((smallestCents[currency] ?? 50n) * unit) / 100n;

/** @returns micro-units. @param amount as Stripe gives it */
export const microsOfStripe = (amount: number, currency: string): bigint =>
  BigInt(amount) * (wholeUnits.has(currency) ? unit : unit / 100n);

/**
 * An amount as Stripe takes it. The number of digits that it may have depends on the currency and the payment method,
 * so Stripe itself refuses what is too large (amount_too_large).
 * @param micros micro-units, rounded to the currency's smallest coin: below 2^63, so a number represents the amount
 * exactly
 */
export const stripeAmount = (micros: bigint, currency: string): number =>
  Number(divideHalfEven(micros, wholeUnits.has(currency) ? unit : unit / 100n));
