import {
  exactColumn,
  idColumn,
  int64Column,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** Fees of others that an account pays at cost: of carriers, of registrations. */
export const passthroughs = defineTable('billing_passthrough', {
  id: idColumn(),
  accountId: uuidColumn(),
  projectId: nullable(uuidColumn()),
  /** The month that it is charged in, YYYY-MM. */
  period: exactColumn(7),
  description: textColumn(200),
  /** Micro-units. */
  amount: int64Column(),
  incurredAt: timeColumn(),
  /** Unique in the account: the same fee is recorded once. */
  reference: nullable(exactColumn(200)),
  /** The invoice that it stands on; null while its month is open. */
  invoiceId: nullable(uuidColumn()),
  createdAt: timeColumn(),
});

export type PassthroughRow = RowOf<typeof passthroughs>;
