import { owned } from '#core/kernel/environment/owned.js';
import {
  choiceColumn,
  exactColumn,
  idColumn,
  int64Column,
  intColumn,
  jsonColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import type { BillingDetails } from './account.js';

export const invoiceStatuses = ['draft', 'open', 'paid', 'past_due', 'void'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** One invoice per account and month. Once it is issued, only its status and what follows from payment change. Amounts are micro-units. */
export const invoices = owned(
  defineTable('billing_invoice', {
    id: idColumn(),
    accountId: uuidColumn(),
    /** YYYY-MM. */
    period: exactColumn(7),
    /** Without gaps in the deployment; null until it is issued. */
    number: nullable(exactColumn(32)),
    status: choiceColumn(invoiceStatuses, 10),
    currency: exactColumn(3),
    subtotal: int64Column(),
    credit: int64Column(),
    /** In ten-thousandths of a percent: 190000 for 19 %. */
    taxPercent: int64Column(),
    tax: int64Column(),
    total: int64Column(),
    /** The account's details and name when it was issued. */
    details: nullable(jsonColumn<BillingDetails>()),
    accountName: nullable(textColumn(120)),
    issuedAt: nullable(timeColumn()),
    dueAt: nullable(timeColumn()),
    paidAt: nullable(timeColumn()),
    voidedAt: nullable(timeColumn()),
    /** Collections that failed. */
    failures: intColumn(),
    lastFailedAt: nullable(timeColumn()),
    lastFailure: nullable(textColumn(500)),
    createdAt: timeColumn(),
  }),
  { thing: 'invoice', lookup: 'billing.invoice.list' },
);

export type InvoiceRow = RowOf<typeof invoices>;

export const invoiceLineKinds = ['usage', 'passthrough', 'adjustment'] as const;

/** The lines of an invoice, as they were when it was issued. */
export const invoiceLines = defineTable('billing_invoice_line', {
  invoiceId: primary(uuidColumn()),
  position: primary(intColumn()),
  kind: choiceColumn(invoiceLineKinds, 12),
  description: textColumn(300),
  meter: nullable(exactColumn(40)),
  country: nullable(exactColumn(2)),
  projectId: nullable(uuidColumn()),
  projectName: nullable(textColumn(120)),
  quantity: int64Column(),
  unitPrice: int64Column(),
  amount: int64Column(),
});

export type InvoiceLineRow = RowOf<typeof invoiceLines>;

/** The last invoice number that was given out. One row. */
export const invoiceSequence = defineTable('billing_invoice_sequence', {
  id: primary(intColumn()),
  last: int64Column(),
});
