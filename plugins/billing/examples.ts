import type { ValueOf } from '#core/kernel/schema/schema.js';
import type {
  BillingDetails,
  Credit,
  Invoice,
  PassthroughLine,
  PaymentMethod,
  SavedBillingDetails,
} from './resources.js';

/* The objects that the examples of this product's operations use. */

export const exampleAccountId = '01890a5d-ac96-774b-bcce-b302099a8001';

export const exampleMoney = (amount: string): { currency: string; amount: string } => ({ currency: 'USD', amount });

export const exampleCredit: ValueOf<typeof Credit> = {
  id: '01890a5d-ac96-774b-bcce-b302099a9500',
  amount: exampleMoney('50.00'),
  remaining: exampleMoney('50.00'),
  reason: 'Welcome credit',
  expiresAt: '2027-11-20T00:00:00.000Z',
  createdAt: '2026-11-20T09:30:00.000Z',
  reversedAt: null,
};

export const exampleDetails: ValueOf<typeof BillingDetails> = {
  name: 'Acme GmbH',
  address: {
    line1: 'Hauptstraße 1',
    line2: null,
    city: 'Berlin',
    region: null,
    postalCode: '10115',
    country: 'DE',
  },
  taxId: 'DE123456789',
  email: 'invoices@example.com',
};

export const exampleSavedDetails: ValueOf<typeof SavedBillingDetails> = {
  ...exampleDetails,
  updatedAt: '2026-11-20T09:30:00.000Z',
};

export const examplePaymentMethod: ValueOf<typeof PaymentMethod> = { brand: 'visa', last4: '4242', expires: '2028-04' };

export const exampleInvoice: ValueOf<typeof Invoice> = {
  id: '01890a5d-ac96-774b-bcce-b302099a9510',
  number: 'SVC-000042',
  period: '2026-10',
  status: 'open',
  currency: 'USD',
  subtotal: '12.50',
  credit: '0.00',
  tax: '2.375',
  total: '14.875',
  refunded: '0.00',
  isCarriedOver: false,
  lines: [
    {
      description: 'Emails',
      meter: 'email.message',
      projectName: 'Shop',
      quantity: 12_500,
      unitPrice: '0.001',
      amount: '12.50',
    },
  ],
  issuedAt: '2026-11-01T01:00:00.000Z',
  dueAt: '2026-11-15T01:00:00.000Z',
  paidAt: null,
  lastFailure: null,
};

const { lines: _lines, ...summary } = exampleInvoice;

/** The same objects as lists and events show them. */
export const exampleSummary = summary;

export const examplePassthrough: ValueOf<typeof PassthroughLine> = {
  id: '01890a5d-ac96-774b-bcce-b302099a9520',
  description: 'Carrier registration fee',
  projectId: null,
  amount: exampleMoney('15.00'),
  incurredAt: '2026-11-20T09:30:00.000Z',
  reference: 'registration-1024',
};
