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
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
