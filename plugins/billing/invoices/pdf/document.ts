import type { PageLanguage } from '#core/surfaces/pages/texts.js';
import type { BillingDetails } from '../../tables/account.js';
import type { InvoiceStatus } from '../../tables/invoice.js';

/** The seller or the buyer, as they were when the invoice was issued. */
export interface Party extends Omit<BillingDetails, 'name'> {
  readonly name: string;
}

/** The seller’s name and colours, from the published theme. */
export interface Brand {
  readonly name: string;
  /** As #rrggbb. */
  readonly primary: string;
  readonly onPrimary: string;
}

/** What a line is for; it decides how the line is described in each language. */
export type LineSubject =
  | {
      readonly kind: 'usage';
      readonly meter: string;
      /** ISO 3166-1 alpha-2; null where the meter has no countries. */
      readonly country: string | null;
    }
  /** A fee at cost; the operator described it. */
  | { readonly kind: 'passthrough'; readonly description: string }
  /** Moved to the next invoice, because it is too small to collect or negative. */
  | { readonly kind: 'carried_out'; readonly period: string }
  /** Moved here from an earlier month. */
  | { readonly kind: 'carried_in'; readonly period: string };

export interface DocumentLine {
  readonly subject: LineSubject;
  /** The month of the usage where it is not the invoice’s own: usage that was recorded late. */
  readonly period: string | null;
  readonly projectName: string | null;
  readonly quantity: bigint;
  /** Micro-units. */
  readonly unitPrice: bigint;
  /** Micro-units. */
  readonly amount: bigint;
}

/** All that an invoice’s PDF shows. Amounts are micro-units. */
export interface InvoiceDocument {
  readonly language: PageLanguage;
  readonly brand: Brand;
  readonly seller: Party;
  readonly buyer: Party;
  /** Null for a draft. */
  readonly number: string | null;
  /** YYYY-MM. */
  readonly period: string;
  readonly status: InvoiceStatus;
  /** ISO 4217. */
  readonly currency: string;
  readonly lines: readonly DocumentLine[];
  readonly subtotal: bigint;
  readonly credit: bigint;
  readonly tax: bigint;
  /** In ten-thousandths of a percent. */
  readonly taxPercent: bigint;
  readonly total: bigint;
  readonly issuedAt: Date | null;
  readonly dueAt: Date | null;
  readonly paidAt: Date | null;
}
