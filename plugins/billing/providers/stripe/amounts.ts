import { divideHalfEven, unit } from '../../money/micros.js';

/**
 * Currencies whose amounts Stripe takes in whole units. It takes all others in hundredths, including the ones that have
 * no coins (HUF, ISK, UGX).
 */
const wholeUnits = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/** Currencies whose amounts Stripe takes in thousandths. The last digit must be 0 (docs.stripe.com/currencies). */
const thousandths = new Set('BHD JOD KWD OMR TND'.split(' '));

/**
 * The smallest charges that Stripe takes (docs.stripe.com/currencies, Minimum and maximum charge amounts), in cents of
 * the unit.
 */
const documentedCents: Readonly<Record<string, bigint>> = {
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

/**
 * Half a US dollar, rounded up, in cents of currencies that Stripe charges but settles in another one: it converts the
 * amount and compares it with the minimum of the settlement currency, which is about half a dollar. Rates change. A
 * value that is too high lets a small amount wait for the next invoice; one that is too low lets Stripe refuse the
 * amount, and then it waits too (amount_too_small). Currencies that are in neither table have a minimum of half a unit.
 */
const convertedCents: Readonly<Record<string, bigint>> = {
  ...{ AFN: 4000n, ALL: 5000n, AMD: 20000n, AOA: 50000n, ARS: 75000n, BDT: 6500n, BHD: 20n, BIF: 150000n },
  ...{ BOB: 400n, BWP: 750n, CDF: 150000n, CLP: 50000n, CNY: 400n, COP: 220000n, CRC: 27500n, CVE: 5500n },
  ...{ DJF: 9000n, DOP: 3300n, DZD: 7000n, EGP: 2700n, ETB: 8000n, GEL: 150n, GMD: 3700n, GNF: 450000n },
  ...{ GTQ: 400n, GYD: 11000n, HNL: 1400n, HTG: 6800n, IDR: 850000n, ILS: 200n, ISK: 7000n, JMD: 8200n },
  ...{ JOD: 40n, KES: 6600n, KGS: 4500n, KHR: 205000n, KMF: 25000n, KRW: 75000n, KWD: 20n, KZT: 27000n },
  ...{ LAK: 1100000n, LBP: 4500000n, LKR: 15500n, LRD: 10000n, MAD: 500n, MDL: 900n, MGA: 230000n, MKD: 3000n },
  ...{ MMK: 105000n, MNT: 180000n, MOP: 410n, MUR: 2400n, MWK: 90000n, MZN: 3300n, NAD: 950n, NGN: 80000n },
  ...{ NIO: 1900n, NPR: 7200n, OMR: 20n, PEN: 200n, PGK: 220n, PHP: 3000n, PKR: 14500n, PYG: 400000n },
  ...{ QAR: 190n, RSD: 5500n, RUB: 5000n, RWF: 75000n, SAR: 190n, SLE: 1200n, SOS: 29000n, SRD: 2000n },
  ...{ TJS: 550n, TND: 160n, TRY: 2200n, TTD: 350n, TWD: 1700n, TZS: 135000n, UAH: 2200n, UGX: 190000n },
  ...{ UYU: 2200n, UZS: 650000n, VND: 1350000n, VUV: 6200n, XAF: 31000n, XOF: 31000n, XPF: 5600n, YER: 12500n },
  ...{ ZAR: 950n, ZMW: 1400n },
};

/** @returns micro-units */
export const smallestStripeAmount = (currency: string): bigint =>
  ((documentedCents[currency] ?? convertedCents[currency] ?? 50n) * unit) / 100n;

/** How many micro-units Stripe's unit of a currency is. */
const stripeUnit = (currency: string): bigint =>
  wholeUnits.has(currency) ? unit : thousandths.has(currency) ? unit / 1000n : unit / 100n;

/** @returns micro-units. @param amount as Stripe gives it */
export const microsOfStripe = (amount: number, currency: string): bigint => BigInt(amount) * stripeUnit(currency);

/**
 * An amount as Stripe takes it. The number of digits that it may have depends on the currency and the payment method,
 * so Stripe itself refuses what is too large (amount_too_large).
 * @param micros micro-units, rounded to the currency's smallest coin: below 2^63, so a number represents the amount
 * exactly
 */
export const stripeAmount = (micros: bigint, currency: string): number =>
  thousandths.has(currency)
    ? Number(divideHalfEven(micros, unit / 100n)) * 10
    : Number(divideHalfEven(micros, stripeUnit(currency)));
