import type { InvoiceStatus } from '../../tables/invoice.js';
import type { FeeKind } from '../../tables/passthrough.js';

/** The words of an invoice in one language. They are plain text with {placeholders}. */
export interface InvoiceTexts {
  readonly invoice: string;
  /** Above a month that is not closed yet. */
  readonly draft: string;
  readonly draftNote: string;
  readonly number: string;
  readonly period: string;
  readonly issued: string;
  readonly due: string;
  readonly paid: string;
  readonly status: string;
  readonly statuses: Readonly<Record<InvoiceStatus, string>>;
  readonly from: string;
  readonly to: string;
  readonly taxId: string;
  readonly columns: {
    readonly description: string;
    readonly quantity: string;
    readonly unitPrice: string;
    readonly amount: string;
  };
  readonly meters: Readonly<Record<string, string>>;
  /** {name} is the business that a registration is for. */
  readonly fees: Readonly<Record<FeeKind, string>>;
  readonly project: string;
  /** Usage of an earlier month that was recorded late. */
  readonly late: string;
  /** What is reversed of an earlier month. */
  readonly givenBack: string;
  readonly carriedIn: string;
  readonly carriedOut: string;
  readonly nothing: string;
  readonly subtotal: string;
  readonly credit: string;
  readonly tax: string;
  readonly total: string;
  /** The total, rounded to what can be paid. */
  readonly amountDue: string;
  readonly page: string;
}
