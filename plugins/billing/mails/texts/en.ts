import type { MailTexts } from '../kinds.js';

export const en: MailTexts = {
  invoice: {
    subject: 'Invoice {{ number }} for {{ month }}: {{ amount }}',
    heading: 'Your invoice for {{ month }}',
    body: 'Invoice {{ number }} for {{ amount }} is due on {{ dueDate }}. {% if collection == "manual" %}Please pay it as agreed and include the invoice number.{% else %}There is no payment method on file that it could be charged to.{% endif %}',
    button: 'View invoice',
    footer: 'You’re receiving this email because invoices for this account are sent to you.',
  },
  receipt: {
    subject: 'Receipt for invoice {{ number }}: {{ amount }}',
    heading: 'Thank you for your payment',
    body: 'Invoice {{ number }} for {{ month }}, {{ amount }}, has been paid.',
    button: 'View invoice',
    footer: 'You can also download the invoice there as a PDF.',
  },
  payment_failed: {
    subject: 'Payment of invoice {{ number }} failed',
    heading: 'The payment failed',
    body: 'The payment of invoice {{ number }} for {{ month }}, {{ amount }}, failed. {{ reason }} We’ll try again over the next few days.',
    button: 'Pay now',
    footer:
      'If the payment method is no longer valid, add another one. If the invoice is still unpaid a week after its due date, {{ dueDate }}, broadcasts are put on hold until it is paid.',
  },
  action_required: {
    subject: 'Please confirm the payment of invoice {{ number }}',
    heading: 'Your bank needs your confirmation',
    body: 'Invoice {{ number }} for {{ month }}, {{ amount }}, can be paid once you confirm the payment with your bank.',
    button: 'Confirm the payment',
    footer: 'The button leads to the page of the invoice, and from there to your bank.',
  },
  payment_taken_back: {
    subject: 'The payment of invoice {{ number }} was reversed',
    heading: 'Your bank reversed the payment',
    body: 'The {{ amount }} payment of invoice {{ number }} for {{ month }} was returned or disputed at your bank, so the invoice is open again. It won’t be charged again automatically.',
    button: 'Pay now',
    footer:
      'If this was a mistake, contact your bank or the operator. If the invoice is still unpaid after a week, broadcasts are put on hold until it is paid.',
  },
  refund: {
    subject: 'Refund for invoice {{ number }}: {{ refunded }}',
    heading: 'A payment was refunded',
    body: '{{ refunded }} of the {{ amount }} paid for invoice {{ number }} ({{ month }}) has been refunded. It may take a few days to reach your account.',
    button: 'View invoice',
    footer: 'There’s nothing you need to do.',
  },
  past_due: {
    subject: 'Invoice {{ number }} is overdue: broadcasts are on hold',
    heading: 'Invoice {{ number }} is overdue',
    body: 'Invoice {{ number }} for {{ month }}, {{ amount }}, was due on {{ dueDate }}. Broadcasts are on hold until it is paid. Individual messages, sign-in and everything else continue as usual.{% if collection == "manual" %} Please pay it as agreed and include the invoice number.{% endif %}',
    button: '{% if collection == "manual" %}View invoice{% else %}Pay now{% endif %}',
    footer: 'Broadcasts on hold resume automatically once the invoice is paid.',
  },
  cap: {
    subject: '{{ percent }}% of your spending cap has been used',
    heading: '{{ percent }}% of your spending cap has been used',
    body: 'In {{ month }}, you’ve spent {{ amount }} of your {{ cap }} spending cap. Anything that would exceed the cap is refused.',
    footer: 'An owner can change or remove the cap with billing.cap.set. billing.usage.get shows your usage.',
  },
};
