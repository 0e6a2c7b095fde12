import { Money } from '#core/kernel/schema/money.js';
import { monthPattern } from '#core/kernel/schema/patterns.js';
import {
  boolean,
  date,
  dateTime,
  integer,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from '#core/kernel/schema/schema.js';
import { meters } from './meters.js';
import { standings } from './tables/account.js';
import { invoiceStatuses } from './tables/invoice.js';

export const meter = oneOf(
  meters,
  'email.message: a single message, including system mail and messages of automations, no matter how many recipients it has; email.broadcast_message: one message of a broadcast to one contact; sms.segment: a segment of a text message, by country; sms.number_month: a rented number, per month; auth.monthly_active_user: a user who signed in or stayed signed in, once per month; audience.contact: contacts, the month’s highest count at the end of a day (UTC).',
);

const decimal = (description: string): ReturnType<typeof text> => text(`${description} A decimal number.`);

export const period = text('The month, YYYY-MM, in UTC.', { pattern: monthPattern });

export const Price = named(
  'Price',
  object(
    {
      meter,
      country: nullable(text('ISO 3166-1 alpha-2; null for every country without its own price.')),
      tiers: list(
        object({
          upTo: nullable(integer('The last unit of the month at this price; null for all remaining units.')),
          unitPrice: decimal('The price of one unit.'),
        }),
        'Graduated: a month’s units up to `upTo` cost that tier’s price, and the units after it the next tier’s.',
      ),
      currency: text('ISO 4217 code.'),
    },
    { description: 'This month’s price of a meter.' },
  ),
);

export const UsageRow = object({
  meter: nullable(meter),
  project: nullable(
    object(
      { id: uuid('The project’s id.'), name: text('The project’s name.') },
      { description: 'The project that used it.' },
    ),
  ),
  date: nullable(date('The day, UTC.')),
  test: boolean('Whether it was used in a test environment: listed separately, free of charge.'),
  quantity: integer('The number of units, less reversed ones.'),
  amount: Money,
});

export const standing = oneOf(
  standings,
  'good: nothing is overdue; past_due: an invoice is overdue, and broadcasts are held until it is paid.',
);

export const PaymentMethod = object(
  {
    brand: text('The brand of the card, or the kind of payment method.'),
    last4: text('Its last four digits.'),
    expires: nullable(text('YYYY-MM; null if it does not expire.')),
  },
  { description: 'The payment method that invoices are charged to.' },
);

const BillingAddress = object(
  {
    line1: nullable(text('The first line of the address.')),
    line2: nullable(text('The second line of the address.')),
    city: nullable(text('The city.')),
    region: nullable(text('The state or province.')),
    postalCode: nullable(text('The postal code.')),
    country: nullable(text('ISO 3166-1 alpha-2.')),
  },
  { description: 'The postal address.' },
);

const detailsFields = {
  name: nullable(text('The name of the company or person.')),
  address: nullable(BillingAddress),
  taxId: nullable(text('The tax id.')),
  email: nullable(text('The address that invoices, receipts and reminders are sent to; null for the owners.')),
} as const;

export const BillingDetails = object(detailsFields, { description: 'The details that appear on invoices.' });

/** The details as they can be changed. */
export const SavedBillingDetails = object(
  { ...detailsFields, updatedAt: dateTime('When the details were changed last.') },
  { description: 'The details that appear on invoices.' },
);

export const InvoiceLine = object({
  description: text('What the line is for.'),
  meter: nullable(meter),
  projectName: nullable(text('The project that used it.')),
  quantity: integer('Units.'),
  unitPrice: decimal('The price of one unit.'),
  amount: decimal('The line’s amount.'),
});

const invoiceFields = {
  id: uuid('The invoice’s id.'),
  number: nullable(text('Its number, consecutive in the deployment; null until the invoice is issued.')),
  period,
  status: oneOf(
    invoiceStatuses,
    'draft: the month is not closed; open: issued and not paid; paid; past_due: overdue for a week; void: nothing is due any more, because the operator cancelled it or it was carried over.',
  ),
  currency: text('ISO 4217 code.'),
  subtotal: decimal('The sum of the lines.'),
  credit: decimal('The part paid by credits.'),
  tax: decimal('The tax.'),
  total: decimal('The amount due.'),
  refunded: decimal('The amount that the payment provider refunded after the invoice was paid.'),
  isCarriedOver: boolean(
    'Whether the payment provider refused the amount as too small, so that a later invoice takes it over.',
  ),
} as const;

const invoiceDates = {
  issuedAt: nullable(dateTime('When it was issued.')),
  dueAt: nullable(dateTime('When it is due.')),
  paidAt: nullable(dateTime('When it was paid.')),
  lastFailure: nullable(
    object({ at: dateTime('When.'), reason: text('Why.') }, { description: 'The last collection that failed.' }),
  ),
} as const;

/** An invoice in lists. */
export const InvoiceSummary = object(
  { ...invoiceFields, ...invoiceDates },
  {
    description: 'An invoice, without its lines.',
    columns: [
      'id',
      'number',
      'period',
      'status',
      'total',
      'currency',
      'dueAt',
      'paidAt',
      'lastFailure.reason',
      'issuedAt',
    ],
  },
);

export const Invoice = named(
  'Invoice',
  object(
    { ...invoiceFields, lines: list(InvoiceLine, 'The amounts that the subtotal adds up.'), ...invoiceDates },
    { description: 'The invoice for an account’s month.' },
  ),
);

export const Credit = named(
  'Credit',
  object(
    {
      id: uuid('The credit’s id.'),
      amount: Money,
      remaining: Money,
      reason: text('Why it was granted.'),
      expiresAt: nullable(dateTime('When the credit expires.')),
      createdAt: dateTime('When it was granted.'),
      reversedAt: nullable(dateTime('When the unused part was reversed.')),
    },
    { description: 'A credit that the operator granted. Invoices use the credits that expire first.' },
  ),
);

export const PassthroughLine = object(
  {
    id: uuid('The line’s id.'),
    description: text('What it is for.'),
    projectId: nullable(uuid('The project that incurred it.')),
    amount: Money,
    incurredAt: dateTime('When it was incurred.'),
    reference: nullable(text('Your id of the fee. The same fee is recorded only once.')),
  },
  { description: 'A fee that is charged at cost.' },
);
