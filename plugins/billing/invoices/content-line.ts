import type { InvoiceLineRow } from '../tables/invoice.js';

/** A line of an invoice or draft, before it has a position on it. */
export type ContentLine = Omit<InvoiceLineRow, 'invoiceId' | 'position'>;

/** A line of one unit, such as a fee. @param amount micro-units */
export const singleLine = (
  kind: ContentLine['kind'],
  description: string,
  amount: bigint,
  more: Partial<Pick<ContentLine, 'fee' | 'meter' | 'country' | 'projectId' | 'projectName' | 'usagePeriod'>> = {},
): ContentLine => ({
  kind,
  description,
  fee: null,
  meter: null,
  country: null,
  usagePeriod: null,
  projectId: null,
  projectName: null,
  ...more,
  quantity: 1n,
  unitPrice: amount,
  amount,
});
