import {
  exactColumn,
  fixedBytesColumn,
  flagColumn,
  int64Column,
  intColumn,
  jsonColumn,
  primary,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** Reversals of usage whose month is closed. Reversals of a month that is still open are in its totals instead. */
export const reversals = defineTable('billing_reversal', {
  accountId: primary(uuidColumn()),
  /** The month whose invoice credits it, YYYY-MM. */
  period: primary(exactColumn(7)),
  /** The closed month in which the units were charged. */
  usedPeriod: primary(exactColumn(7)),
  meter: primary(exactColumn(40)),
  projectId: primary(uuidColumn()),
  /** The day on which it was reversed: days since 1970-01-01, UTC. */
  day: primary(intColumn()),
  country: primary(exactColumn(2)),
  isTest: primary(flagColumn()),
  /** Units, above 0. */
  quantity: int64Column(),
  /** What they had cost in their month, in micro-units. */
  amount: int64Column(),
});

/** A price as billing_price_set stores it. Whole numbers are text, because JSON has no 64-bit numbers. */
interface StoredPrice {
  meter: string;
  country: string | null;
  tiers: { upTo: string | null; unitPrice: string }[];
}

/** Every set of prices that a month was charged at. */
export const priceSets = defineTable('billing_price_set', {
  digest: primary(fixedBytesColumn(16)),
  entries: jsonColumn<StoredPrice[]>(),
  createdAt: timeColumn(),
});
