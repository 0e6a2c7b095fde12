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
  'email.message: a single message, system mail and mails of automations among them, however many recipients it has; email.broadcast_message: a message of a broadcast, one for each contact; sms.segment: a part of a text, by country; sms.number_month: a rented number, each month; auth.monthly_active_user: a user who signed in or stayed signed in, once a month; audience.contact: contacts, the highest of the month’s counts at the end of each day (UTC).',
);

const decimal = (description: string): ReturnType<typeof text> => text(`${description} A decimal number.`);

export const period = text('The month, YYYY-MM, in UTC.', { pattern: monthPattern });

export const Price = named(
  'Price',
  object(
    {
      meter,
      country: nullable(text('ISO 3166-1 alpha-2; null for every country without a price of its own.')),
      tiers: list(
        object({
          upTo: nullable(integer('The last unit of the month at this price; null for all further ones.')),
          unitPrice: decimal('The price of one unit.'),
        }),
        'Graduated: the units of a month up to `upTo` cost that tier’s price, the following ones the next tier’s.',
      ),
      currency: text('ISO 4217 code.'),
    },
    { description: 'The price of a meter, as it is this month.' },
  ),
);

export const UsageRow = object({
  meter: nullable(meter),
  project: nullable(
    object({ id: uuid('The project’s id.'), name: text('The project’s name.') }, { description: 'Who used it.' }),
  ),
  date: nullable(date('The day, UTC.')),
  test: boolean('Used in a test environment: counted apart, at no charge.'),
  quantity: integer('Units used, less those that were given back.'),
  amount: Money,
});

export const standing = oneOf(
  standings,
  'good: nothing is overdue; past_due: an invoice is overdue, and broadcasts wait until it is paid.',
);

export const PaymentMethod = object(
  {
    brand: text('The card’s brand, or the kind of the method.'),
    last4: text('Its last four digits.'),
    expires: nullable(text('YYYY-MM; null where it does not expire.')),
  },
  { description: 'What invoices are collected from.' },
);

export const BillingAddress = object(
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

export const BillingDetails = object(
  {
    name: nullable(text('The name of the company or person.')),
    address: nullable(BillingAddress),
    taxId: nullable(text('The tax id.')),
    email: nullable(text('Where invoices, receipts and reminders go; null for the owners.')),
  },
  { description: 'What invoices carry.' },
);

export const InvoiceLine = object({
  description: text('What it is for.'),
  meter: nullable(meter),
  projectName: nullable(text('The project that used it.')),
  quantity: integer('Units.'),
  unitPrice: decimal('The price of one unit.'),
  amount: decimal('The line’s amount.'),
});

const invoiceFields = {
  id: uuid('The invoice’s id.'),
  number: nullable(text('Its number, without gaps in the deployment; null until it is issued.')),
  period,
  status: oneOf(
    invoiceStatuses,
    'draft: the month is not closed; open: issued and not paid; paid; past_due: overdue for a week; void: nothing to pay any more.',
  ),
  currency: text('ISO 4217 code.'),
  subtotal: decimal('The sum of the lines.'),
  credit: decimal('What credits paid of it.'),
  tax: decimal('The tax.'),
  total: decimal('What is to be paid.'),
  refunded: decimal('What the payment provider has refunded of it after it was paid.'),
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
    { ...invoiceFields, lines: list(InvoiceLine, 'What the subtotal is the sum of.'), ...invoiceDates },
    { description: 'The invoice of an account’s month.' },
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
      expiresAt: nullable(dateTime('When what is left of it expires.')),
      createdAt: dateTime('When it was granted.'),
      reversedAt: nullable(dateTime('When what was left of it was taken back.')),
    },
    { description: 'What the operator granted an account; invoices use the credits that expire first.' },
  ),
);

export const PassthroughLine = object(
  {
    id: uuid('The line’s id.'),
    description: text('What it is for.'),
    projectId: nullable(uuid('The project that caused it.')),
    amount: Money,
    incurredAt: dateTime('When it was incurred.'),
    reference: nullable(text('The fee’s own number: the same fee is recorded once.')),
  },
  { description: 'A fee that is charged at cost.' },
);
