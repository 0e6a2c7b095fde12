import type { PriceEntry, Prices } from './price-list.js';
import { splitByTier, type TierPart } from './tiers.js';

/** Usage of a month, grouped as the caller likes. */
export interface Counted {
  readonly meter: string;
  /** Empty or null if the meter has no countries. */
  readonly country: string | null;
  readonly quantity: bigint;
}

/** Usage with its price. */
export interface Priced<C extends Counted> {
  readonly usage: C;
  /** Undefined if it is free. */
  readonly price: PriceEntry | undefined;
  /** Units by the tier they fall into. */
  readonly parts: readonly TierPart[];
  /** Micro-units. */
  readonly amount: bigint;
}

/**
 * Prices a month's usage. Tiers count all units of the account that have the same price, in the order of `usages`. So
 * the amounts add up to what the sum of the units costs, no matter how the usage is split.
 */
export function priceUsage<C extends Counted>(prices: Prices, usages: readonly C[]): Priced<C>[] {
  const reached = new Map<PriceEntry, bigint>();
  return usages.map((usage) => {
    const price = prices.priceOf(usage.meter, usage.country);
    if (!price) return { usage, price, parts: [{ quantity: usage.quantity, unitPrice: 0n }], amount: 0n };
    const before = reached.get(price) ?? 0n;
    reached.set(price, before + usage.quantity);
    const parts = splitByTier(price.tiers, before, usage.quantity);
    return { usage, price, parts, amount: amountOf(parts) };
  });
}

const amountOf = (parts: readonly TierPart[]): bigint =>
  parts.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0n);

/** The total cost of a month's usage, in micro-units. */
export const costOfUsage = (prices: Prices, usages: readonly Counted[]): bigint =>
  priceUsage(prices, usages).reduce((sum, { amount }) => sum + amount, 0n);
