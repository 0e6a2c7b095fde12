import type { ValueOf } from '#core/kernel/schema/schema.js';
import { decimalsOf, formatAmount } from '../money/micros.js';
import type { Price } from '../resources.js';
import type { PriceEntry } from './price-list.js';

/** A price as replies carry it. @param currency ISO 4217 */
export const presentPrice = ({ meter, country, tiers }: PriceEntry, currency: string): ValueOf<typeof Price> => ({
  meter,
  country,
  tiers: tiers.map(({ upTo, unitPrice }) => ({
    upTo: upTo === null ? null : Number(upTo),
    unitPrice: formatAmount(unitPrice, decimalsOf(currency)),
  })),
  currency,
});
