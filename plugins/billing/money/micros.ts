/*
 * Amounts are whole micro-units of the deployment's currency (a millionth), as bigint. All arithmetic with money uses
 * them; only input and displayed amounts are decimal text.
 */

/** The micro-units of one unit. */
export const unit = 1_000_000n;

/** The largest amount that a BIGINT column holds. */
export const largestAmount = 2n ** 63n - 1n;

/**
 * Reads a decimal number with at most six decimal places.
 * @returns micro-units; undefined for anything else, and above `largestAmount`
 */
export function parseAmount(text: string): bigint | undefined {
  const parts = /^(-?)(\d{1,13})(?:\.(\d{1,6}))?$/.exec(text);
  if (!parts) return undefined;
  const [, sign, whole = '', decimals = ''] = parts;
  const micros = BigInt(whole) * unit + BigInt(decimals.padEnd(6, '0'));
  if (micros > largestAmount) return undefined;
  return sign === '-' ? -micros : micros;
}

/**
 * An amount as decimal text, with at least `decimals` decimal places and no further trailing zeros: 12.50, 0.0004.
 * @param micros micro-units
 */
export function formatAmount(micros: bigint, decimals = 2): string {
  const size = micros < 0n ? -micros : micros;
  const fraction = (size % unit).toString().padStart(6, '0');
  const kept = fraction.slice(0, decimals) + fraction.slice(decimals).replace(/0+$/, '');
  return `${micros < 0n ? '-' : ''}${size / unit}${kept === '' ? '' : `.${kept}`}`;
}

/**
 * Divides and rounds half to even. This is the only place where amounts are rounded.
 * @param divisor above 0
 */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const quotient = size / divisor;
  const twice = (size % divisor) * 2n;
  const rounded = twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
  return dividend < 0n ? -rounded : rounded;
}

const decimalsByCurrency = new Map<string, number>();

/** How many decimal places a currency has: 2 for USD, 0 for JPY. */
export function decimalsOf(currency: string): number {
  const known = decimalsByCurrency.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  const decimals = format.maximumFractionDigits ?? 2;
  decimalsByCurrency.set(currency, decimals);
  return decimals;
}

/** An amount as replies carry it. @param micros micro-units */
export const moneyOf = (micros: bigint, currency: string): { currency: string; amount: string } => ({
  currency,
  amount: formatAmount(micros, decimalsOf(currency)),
});

/**
 * An amount in the currency's smallest coin, as payment providers expect it: 1250 for 12.50 USD.
 * @param micros micro-units
 */
export const minorUnits = (micros: bigint, currency: string): bigint =>
  divideHalfEven(micros, 10n ** BigInt(6 - decimalsOf(currency)));

/** The amount rounded to the currency's smallest coin, in micro-units. */
export const roundToMinor = (micros: bigint, currency: string): bigint =>
  minorUnits(micros, currency) * 10n ** BigInt(6 - decimalsOf(currency));

/**
 * A percentage of an amount, rounded to the micro-unit.
 * @param percent in ten-thousandths of a percent: 190000n for 19 %
 */
export const percentOf = (micros: bigint, percent: bigint): bigint => divideHalfEven(micros * percent, unit);
