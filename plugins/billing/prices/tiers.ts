import type { Prices, Tier } from './price-list.js';

/** Units of one tier. */
export interface TierPart {
  readonly quantity: bigint;
  /** Micro-units. */
  readonly unitPrice: bigint;
}

/**
 * Splits units by the tiers that they fall into.
 * @param before units of the month that came before them
 * @param quantity negative for units that are reversed, which leave the highest tiers first. Units below 0, because
 * more are reversed than the month has, count in the first tier.
 */
export function splitByTier(tiers: readonly Tier[], before: bigint, quantity: bigint): TierPart[] {
  const after = before + quantity;
  const [low, high] = quantity < 0n ? [after, before] : [before, after];
  const sign = quantity < 0n ? -1n : 1n;
  const parts: TierPart[] = [];
  let start: bigint | null = null;
  for (const { upTo, unitPrice } of tiers) {
    // The first tier has no lower limit.
    const from: bigint = start === null || start < low ? low : start;
    const to = upTo === null || upTo > high ? high : upTo;
    if (to > from) parts.push({ quantity: sign * (to - from), unitPrice });
    start = upTo;
    if (upTo === null) break;
  }
  return parts;
}

/** The total cost of a month's units, in micro-units; 0 if their number is negative. */
export const costOfUnits = (tiers: readonly Tier[], quantity: bigint): bigint =>
  quantity <= 0n
    ? 0n
    : splitByTier(tiers, 0n, quantity).reduce((sum, part) => sum + part.quantity * part.unitPrice, 0n);

/** The most that one unit can cost, in micro-units. */
export const dearestUnit = (tiers: readonly Tier[]): bigint =>
  tiers.reduce((most, { unitPrice }) => (unitPrice > most ? unitPrice : most), 0n);

/** The most that one unit of a meter can cost, in micro-units; 0 if it is free. @param country as in Prices.priceOf */
export function dearestPrice(prices: Prices, meter: string, country: string | null): bigint {
  const price = prices.priceOf(meter, country);
  return price ? dearestUnit(price.tiers) : 0n;
}
