import {
  choiceColumn,
  exactColumn,
  int64Column,
  jsonColumn,
  nullable,
  primary,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const standings = ['good', 'past_due'] as const;
export type Standing = (typeof standings)[number];

/** The details that an account's invoices contain. */
export interface BillingDetails {
  name: string | null;
  address: {
    line1: string | null;
    line2: string | null;
    city: string | null;
    region: string | null;
    postalCode: string | null;
    country: string | null;
  } | null;
  taxId: string | null;
  email: string | null;
}

export interface PaymentMethod {
  brand: string;
  last4: string;
  /** YYYY-MM; null if it does not expire. */
  expires: string | null;
}

/** What billing knows about an account. The row is created at its first usage or the first change of a setting. */
export const billingAccounts = defineTable('billing_account', {
  accountId: primary(uuidColumn()),
  /** Micro-units a month; null for no cap. A transaction that reserves under it holds a shared lock on the row. */
  cap: nullable(int64Column()),
  standing: choiceColumn(standings, 10),
  pastDueSince: nullable(timeColumn()),
  details: nullable(jsonColumn<BillingDetails>()),
  /** When the details were changed last; null for details that an earlier version stored. */
  detailsUpdatedAt: nullable(timeColumn()),
  /** The payment provider's id of the account, and of the method that invoices are collected with. */
  provider: nullable(exactColumn(20)),
  customerRef: nullable(exactColumn(255)),
  paymentMethodRef: nullable(exactColumn(255)),
  paymentMethod: nullable(jsonColumn<PaymentMethod>()),
  /** When it was entered, by the provider's clock; null if it was stored by a version that did not keep this. */
  paymentMethodEnteredAt: nullable(timeColumn()),
  createdAt: timeColumn(),
  updatedAt: timeColumn(),
});

export type BillingAccountRow = RowOf<typeof billingAccounts>;
