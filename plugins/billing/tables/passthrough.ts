import {
  exactColumn,
  idColumn,
  int64Column,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** Fees that invoices can name in every language. */
export type FeeKind = 'sms_brand' | 'sms_campaign';

/** What a product was charged for. */
export interface Fee {
  readonly kind: FeeKind;
  /** The person or thing that it is about, such as the name of a business. */
  readonly name: string;
}

/** Third-party fees that an account pays at cost: of carriers, of registrations. */
export const passthroughs = defineTable('billing_passthrough', {
  id: idColumn(),
  accountId: uuidColumn(),
  projectId: nullable(uuidColumn()),
  /** The month in which it is charged, YYYY-MM. */
  period: exactColumn(7),
  description: textColumn(200),
  /** Null for fees that an operator has described. */
  fee: nullable(jsonColumn<Fee>()),
  /** Micro-units. */
  amount: int64Column(),
  incurredAt: timeColumn(),
  /** Unique in the account: the same fee is recorded once. */
  reference: nullable(exactColumn(200)),
  /** The invoice that it is on; null while its month is open. */
  invoiceId: nullable(uuidColumn()),
  createdAt: timeColumn(),
});

export type PassthroughRow = RowOf<typeof passthroughs>;
