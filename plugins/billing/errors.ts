import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  // Cap
  cap_below_usage: {
    status: 409,
    message: 'This month’s usage is already {amountSoFar} {currency}, which is above a cap of {cap} {currency}.',
    fix: 'Pass at least {amountSoFar}, or null to remove the cap. billing.usage.get shows the usage.',
  },

  // Invoices and credits
  credit_reversed: {
    status: 409,
    message: 'The credit has already been reversed.',
    fix: 'Call billing.get to see the account’s credits, or grant another one with billing.credit.record.',
  },
  invoice_not_open: {
    status: 409,
    message: '{problem}.',
    fix: '{nextStep}',
  },

  // Payments
  payment_failed: {
    status: 409,
    message: 'The payment provider could not collect the payment: {problem}.',
    fix: '{nextStep}',
  },
  payment_method_missing: {
    status: 409,
    message: 'No payment method is set up.',
    fix: '{nextStep}',
  },
  billing_past_due: {
    status: 402,
    message: 'An invoice of the account is overdue: broadcasts wait. Single messages and sign-in go on.',
    fix: 'Pay it with {pay}; {list} shows which one. Then call {operation} again.',
  },
  spending_cap_reached: {
    status: 402,
    message:
      'This would cost {price} {currency} and cross the spending cap of {cap} {currency}: nothing was queued or bought.',
    fix: 'Let an owner raise or remove the cap with {set}, or wait for the next month (UTC), then call again. {show} tells what is spent, and what broadcasts have reserved.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
