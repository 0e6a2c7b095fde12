import {
  exactColumn,
  fixedBytesColumn,
  int64Column,
  nullable,
  primary,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/**
 * An account's month: what is spent of its cap, and whether it is closed. Amounts are micro-units before credits and
 * tax.
 */
export const months = defineTable('billing_month', {
  accountId: primary(uuidColumn()),
  /** YYYY-MM, UTC. */
  period: primary(exactColumn(7)),
  /** The price of the usage that is rolled up. Kept up to date only while the account has a cap. */
  spent: int64Column(),
  /** Pass-through lines. */
  fees: int64Column(),
  /** The highest price of the usage that is not rolled up yet. Kept up to date only while the account has a cap. */
  reserved: int64Column(),
  /** The prices that `spent` and `reserved` were computed with; null if they are not known. */
  pricesDigest: nullable(fixedBytesColumn(16)),
  /**
   * When the owners were notified that 50 and 80 % of the cap are spent, and when billing.cap.reached was emitted, for
   * the present cap.
   */
  halfNotifiedAt: nullable(timeColumn()),
  mostNotifiedAt: nullable(timeColumn()),
  reachedAt: nullable(timeColumn()),
  /** Usage that is rolled up after this time counts in the next open month. */
  closedAt: nullable(timeColumn()),
  /** The prices that a closed month was charged at (billing_price_set); null if an earlier version closed it. */
  chargedDigest: nullable(fixedBytesColumn(16)),
});

export type MonthRow = RowOf<typeof months>;
