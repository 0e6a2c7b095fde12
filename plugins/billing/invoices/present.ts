import type { ValueOf } from '#core/kernel/schema/schema.js';
import { meters } from '../meters.js';
import { decimalsOf, formatAmount } from '../money/micros.js';
import type { Invoice, InvoiceLine, InvoiceSummary } from '../resources.js';
import type { InvoiceRow } from '../tables/invoice.js';
import type { ContentLine } from './content-line.js';

/** An invoice as lists and events carry it. */
export function presentSummary(row: InvoiceRow): ValueOf<typeof InvoiceSummary> {
  const show = (micros: bigint): string => formatAmount(micros, decimalsOf(row.currency));
  return {
    id: row.id,
    number: row.number,
    period: row.period,
    status: row.status,
    currency: row.currency,
    subtotal: show(row.subtotal),
    credit: show(row.credit),
    tax: show(row.tax),
    total: show(row.total),
    refunded: show(row.refunded),
    isCarriedOver: row.carriedAt !== null,
    issuedAt: row.issuedAt?.toISOString() ?? null,
    dueAt: row.dueAt?.toISOString() ?? null,
    paidAt: row.paidAt?.toISOString() ?? null,
    lastFailure:
      row.lastFailedAt === null ? null : { at: row.lastFailedAt.toISOString(), reason: row.lastFailure ?? '' },
  };
}

/** An invoice with its lines. */
export function presentInvoice(row: InvoiceRow, lines: readonly ContentLine[]): ValueOf<typeof Invoice> {
  return { ...presentSummary(row), lines: lines.map((line) => presentLine(line, row.currency)) };
}

function presentLine(line: ContentLine, currency: string): ValueOf<typeof InvoiceLine> {
  const show = (micros: bigint): string => formatAmount(micros, decimalsOf(currency));
  return {
    description: line.description,
    // A reversal is one amount, not units of its meter.
    meter: line.kind === 'usage' ? (meters.find((each) => each === line.meter) ?? null) : null,
    projectName: line.projectName,
    quantity: Number(line.quantity),
    unitPrice: show(line.unitPrice),
    amount: show(line.amount),
  };
}
