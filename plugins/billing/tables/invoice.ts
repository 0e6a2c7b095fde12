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
import type { Language } from '#core/kernel/language.js';
import { failureCodes } from './failure-codes.js';
import type { BillingDetails } from './account.js';
import type { Fee } from './passthrough.js';

/** An invoice's seller, brand and language. */
export interface Letterhead {
  seller: BillingDetails & { name: string };
  brand: {
    name: string;
    /** As #rrggbb. */
    primary: string;
    onPrimary: string;
  };
  language: Language;
  /** The tag to format numbers and dates with. Older invoices do not have one: they are formatted in their language. */
  formatTag?: string;
}

export const invoiceStatuses = ['draft', 'open', 'paid', 'past_due', 'void'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/**
 * One invoice per account and month. Once it is issued, only its status and what follows from payment change. Amounts
 * are micro-units.
 */
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
    /** In ten-thousandths of a percent: 190000 for 19%. */
    taxPercent: int64Column(),
    tax: int64Column(),
    total: int64Column(),
    /**
     * What the next invoice takes over: above 0 an amount too small to collect, below 0 an amount that is owed to the
     * account.
     */
    carried: int64Column(),
    /** For a cancelled invoice: what a later one takes over, because this one had taken it over or credited it. */
    restored: int64Column(),
    /** The invoice that has taken it over; null if none has. */
    restoredTo: nullable(uuidColumn()),
    /** The issuer and the theme when it was issued. */
    letterhead: nullable(jsonColumn<Letterhead>()),
    /** The account's details and name when it was issued. */
    details: nullable(jsonColumn<BillingDetails>()),
    accountName: nullable(textColumn(120)),
    issuedAt: nullable(timeColumn()),
    dueAt: nullable(timeColumn()),
    paidAt: nullable(timeColumn()),
    voidedAt: nullable(timeColumn()),
    /** For a cancelled invoice: when it was carried over, because the payment provider refused so small an amount. */
    carriedAt: nullable(timeColumn()),
    /** The amount that the payment provider has refunded. */
    refunded: int64Column(),
    /** When the bank took its payment back, and it was reopened. */
    takenBackAt: nullable(timeColumn()),
    /** Collections that failed. */
    failures: intColumn(),
    lastFailedAt: nullable(timeColumn()),
    lastFailure: nullable(textColumn(500)),
    /** The code of the reason; null if svc does not know it. */
    lastFailureCode: nullable(choiceColumn(failureCodes, 40)),
    createdAt: timeColumn(),
  }),
  { thing: 'invoice', lookup: 'billing.invoice.list' },
);

export type InvoiceRow = RowOf<typeof invoices>;

/**
 * reversal: units of an earlier month that are reversed; carried_in: amounts that earlier invoices moved here;
 * carried_out: the amount that this one moves to the next.
 */
export const invoiceLineKinds = ['usage', 'reversal', 'passthrough', 'carried_in', 'carried_out'] as const;

/** The lines of an invoice, as they were when it was issued. */
export const invoiceLines = defineTable('billing_invoice_line', {
  invoiceId: primary(uuidColumn()),
  position: primary(intColumn()),
  kind: choiceColumn(invoiceLineKinds, 12),
  description: textColumn(300),
  fee: nullable(jsonColumn<Fee>()),
  meter: nullable(exactColumn(40)),
  country: nullable(exactColumn(2)),
  /**
   * The month of the usage, if it is earlier than that of the invoice: the usage was recorded late or is reversed. For
   * carried amounts, the month that they come from.
   */
  usagePeriod: nullable(exactColumn(7)),
  projectId: nullable(uuidColumn()),
  projectName: nullable(textColumn(120)),
  quantity: int64Column(),
  unitPrice: int64Column(),
  amount: int64Column(),
});

export type InvoiceLineRow = RowOf<typeof invoiceLines>;

/** The last invoice number that was used. One row. */
export const invoiceSequence = defineTable('billing_invoice_sequence', {
  id: primary(intColumn()),
  last: int64Column(),
});

/** The fields of an invoice that only later events change: a payment, a refund, a cancellation. */
export const untouched = {
  restored: 0n,
  restoredTo: null,
  refunded: 0n,
  takenBackAt: null,
  voidedAt: null,
  carriedAt: null,
  failures: 0,
  lastFailedAt: null,
  lastFailure: null,
  lastFailureCode: null,
} as const satisfies Partial<InvoiceRow>;
