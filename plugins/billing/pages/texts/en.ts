import type { BillingTexts } from './billing-texts.js';

export const en: BillingTexts = {
  invoice: {
    title: 'Invoice {number}',
    number: 'Number',
    month: 'Month',
    amount: 'Amount',
    due: 'Due on',
    paidOn: 'Paid on',
    pdf: 'Download the invoice (PDF)',
    lead: {
      open: 'This invoice hasn’t been paid yet.',
      past_due: 'This invoice is overdue. Broadcasts are on hold until it is paid.',
      paid: 'This invoice is paid. Thank you.',
      void: 'This invoice was voided. There’s nothing to pay.',
      carried:
        'This amount is too small to charge. It was carried over to a later invoice, and there is nothing to pay now.',
      processing: 'Your payment is processing. This can take a few days.',
      confirm: 'Your bank needs you to confirm this payment.',
      noMethod: 'This invoice hasn’t been paid yet, and there’s no payment method on file to charge it to.',
      manual: 'This invoice hasn’t been paid yet. Please pay it as agreed and include the invoice number.',
      unavailable:
        'The payment provider isn’t responding right now. Please try again in a few minutes; you won’t be charged twice.',
    },
    failed: 'The last payment failed. {reason}',
    pay: 'Pay {amount}',
    confirm: 'Confirm the payment',
    addMethod: 'Add a payment method and pay',
    otherMethod: 'Use a different payment method',
  },
  method: {
    title: 'Payment method',
    pending:
      'You’ll enter your payment details on our payment provider’s page. Invoices will be charged to that payment method.',
    start: 'Add a payment method',
    active: 'Your payment method has been saved. Unpaid and future invoices will be charged to it.',
    failed: 'The payment method wasn’t saved. {reason}',
    again: 'Close this page and add a payment method again where you started.',
    unavailable: 'The payment provider isn’t responding right now. Please try again in a few minutes.',
    back: 'Back',
  },
  leaving: {
    title: 'Continue to our payment provider',
    text: 'You’re being redirected to our payment provider’s page.',
    button: 'Continue',
  },
};
