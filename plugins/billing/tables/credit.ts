import { owned } from '#core/kernel/environment/owned.js';
import {
  idColumn,
  int64Column,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** Credits that the operator granted an account. Amounts are micro-units. */
export const credits = owned(
  defineTable('billing_credit', {
    id: idColumn(),
    accountId: uuidColumn(),
    amount: int64Column(),
    /** The part that no invoice has used and that was not taken back. */
    remaining: int64Column(),
    reason: textColumn(500),
    expiresAt: nullable(timeColumn()),
    createdAt: timeColumn(),
    reversedAt: nullable(timeColumn()),
    reversalReason: nullable(textColumn(500)),
  }),
  { thing: 'credit', lookup: 'billing.get' },
);

export type CreditRow = RowOf<typeof credits>;

/** The credits that invoices used. Rows are only added. */
export const creditApplications = defineTable('billing_credit_application', {
  creditId: primary(uuidColumn()),
  invoiceId: primary(uuidColumn()),
  accountId: uuidColumn(),
  amount: int64Column(),
  at: timeColumn(),
});
