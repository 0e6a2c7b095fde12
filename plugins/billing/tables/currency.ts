import { exactColumn, intColumn, primary } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** The currency of every amount in the database. One row, which the first start creates. */
export const storedCurrency = defineTable('billing_currency', {
  id: primary(intColumn()),
  /** ISO 4217. */
  currency: exactColumn(3),
});
