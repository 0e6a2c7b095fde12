import type { InvoiceLineRow, InvoiceRow, Letterhead } from '../../tables/invoice.js';

/** The seller or the buyer, as they were when the invoice was issued. */
export type Party = Letterhead['seller'];

/** A line, with its description in each language. */
export type DocumentLine = Omit<InvoiceLineRow, 'invoiceId' | 'position' | 'projectId'>;

/** Everything that an invoice’s PDF shows. Amounts are micro-units. */
export interface InvoiceDocument
  extends
    Letterhead,
    Pick<
      InvoiceRow,
      | 'number'
      | 'period'
      | 'status'
      | 'currency'
      | 'subtotal'
      | 'credit'
      | 'tax'
      | 'taxPercent'
      | 'total'
      | 'issuedAt'
      | 'dueAt'
      | 'paidAt'
    > {
  readonly buyer: Party;
  readonly lines: readonly DocumentLine[];
}

/** The content of the PDF of an invoice or draft. */
export function documentOf(invoice: InvoiceRow, lines: readonly DocumentLine[]): InvoiceDocument {
  const { letterhead, details, accountName } = invoice;
  if (!letterhead || !details) throw new Error(`Invoice ${invoice.id} has neither seller nor buyer.`);
  return { ...invoice, ...letterhead, buyer: { ...details, name: details.name ?? accountName ?? '' }, lines };
}
