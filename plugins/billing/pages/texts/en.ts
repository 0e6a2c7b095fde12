import type { BillingTexts } from './billing-texts.js';

export const en: BillingTexts = {
  invoice: {
    title: 'Invoice {number}',
    number: 'Number',
    month: 'For',
    amount: 'Amount',
    due: 'Due on',
    paidOn: 'Paid on',
    pdf: 'Download the invoice (PDF)',
    lead: {
      open: 'This invoice is not paid yet.',
      past_due: 'This invoice is overdue. Broadcasts are held until it is paid.',
      paid: 'This invoice is paid. Thank you.',
      void: 'This invoice was cancelled: there is nothing to pay.',
      processing: 'The payment is on its way. Your bank takes up to a few days.',
      confirm: 'Your bank asks you to confirm this payment.',
      noMethod: 'This invoice is not paid yet, and there is no payment method to collect it from.',
      manual: 'This invoice is not paid yet. Please pay it as agreed, and state its number.',
      unavailable:
        'The payment provider does not answer at the moment. Nothing is charged twice: please try again in a few minutes.',
    },
    failed: 'The last payment failed: {reason}',
    pay: 'Pay {amount}',
    confirm: 'Confirm the payment',
    addMethod: 'Add a payment method and pay',
    otherMethod: 'Use another payment method',
  },
  method: {
    title: 'Payment method',
    pending: 'You enter the payment method on the page of our payment provider. Invoices are collected from it.',
    start: 'Add a payment method',
    active: 'The payment method is stored. Invoices are collected from it from now on.',
    failed: 'The payment method was not stored: {reason}',
    unavailable: 'The payment provider does not answer at the moment. Please try again in a few minutes.',
    back: 'Back',
  },
  leaving: {
    title: 'To the payment provider',
    text: 'You are being led to the page of our payment provider.',
    button: 'Continue',
  },
};
