import { declareEvents } from '#core/kernel/event.js';
import { Money } from '#core/kernel/schema/money.js';
import { dateTime, nullable, object, text, uuid } from '#core/kernel/schema/schema.js';
import {
  exampleCredit,
  exampleDetails,
  exampleMoney,
  examplePassthrough,
  examplePaymentMethod,
  exampleSummary,
} from './examples.js';
import {
  BillingDetails,
  Credit,
  InvoiceSummary,
  PassthroughLine,
  PaymentMethod,
  period,
  standing,
} from './resources.js';

const cap = object({ cap: nullable(Money), amountSoFar: Money, period });
const credit = object({ credit: Credit, balance: Money });

export const events = declareEvents({
  // Cap
  'billing.cap.changed': {
    summary: 'The spending cap was set or removed.',
    subject: 'account',
    data: cap,
    example: { cap: exampleMoney('200.00'), amountSoFar: exampleMoney('12.50'), period: '2026-11' },
  },
  'billing.cap.reached': {
    summary: 'A send was refused because it would have exceeded the spending cap, or the usage reached the cap.',
    subject: 'account',
    data: cap,
    example: { cap: exampleMoney('200.00'), amountSoFar: exampleMoney('199.9992'), period: '2026-11' },
  },

  // Credits and fees
  'billing.credit.recorded': {
    summary: 'The operator granted a credit.',
    subject: 'credit',
    data: credit,
    example: { credit: exampleCredit, balance: exampleCredit.remaining },
  },
  'billing.credit.reversed': {
    summary: 'The unused part of a credit was reversed.',
    subject: 'credit',
    data: credit,
    example: {
      credit: { ...exampleCredit, remaining: exampleMoney('0.00'), reversedAt: '2026-11-21T08:00:00.000Z' },
      balance: exampleMoney('0.00'),
    },
  },
  'billing.passthrough.recorded': {
    summary: 'A fee was added to the month at cost.',
    subject: 'passthrough',
    data: object({ line: PassthroughLine, period }),
    example: { line: examplePassthrough, period: '2026-11' },
  },

  // Payments
  'billing.payment.setup_started': {
    summary: 'An owner started adding a payment method.',
    subject: 'payment_setup',
    data: object({ setupId: uuid('The setup.'), expiresAt: dateTime('When the page expires.') }),
    example: { setupId: '01890a5d-ac96-774b-bcce-b302099a9530', expiresAt: '2026-11-21T09:30:00.000Z' },
  },
  'billing.payment.updated': {
    summary: 'The payment method, the billing details, the standing, or the payment of an invoice changed.',
    subject: 'account',
    data: object({
      standing,
      paymentMethod: nullable(PaymentMethod),
      details: nullable(BillingDetails),
      invoice: nullable(InvoiceSummary),
    }),
    example: { standing: 'good', paymentMethod: examplePaymentMethod, details: exampleDetails, invoice: null },
  },
  'billing.payment.failed': {
    summary: 'An invoice could not be collected, or a payment method could not be added.',
    subject: 'account',
    data: object({ reason: text('Why.'), invoice: nullable(InvoiceSummary) }),
    example: { reason: 'The card was declined.', invoice: exampleSummary },
  },
});

declare module '#core/kernel/event.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
