import type { MailTexts } from '../kinds.js';

export const en: MailTexts = {
  invoice: {
    subject: 'Invoice {{ number }} for {{ month }}: {{ amount }}',
    heading: 'Your invoice for {{ month }}',
    body: 'Invoice {{ number }} over {{ amount }} is due on {{ dueDate }}. {% if collection == "manual" %}Please pay it as agreed, and state its number.{% else %}There is no payment method from which it could be collected.{% endif %}',
    button: 'Show the invoice',
    footer: 'You get this mail because you receive the invoices of this account.',
  },
  receipt: {
    subject: 'Receipt for invoice {{ number }}: {{ amount }}',
    heading: 'Thank you for your payment',
    body: 'Invoice {{ number }} for {{ month }} over {{ amount }} is paid.',
    button: 'Show the invoice',
    footer: 'The page also has the invoice as a PDF.',
  },
  payment_failed: {
    subject: 'Invoice {{ number }} could not be collected',
    heading: 'The payment failed',
    body: 'Invoice {{ number }} for {{ month }} over {{ amount }} could not be collected: {{ reason }} It is tried again over the next days.',
    button: 'Pay now',
    footer:
      'If the payment method is no longer valid, add another one. A week after the due date, {{ dueDate }}, broadcasts are held until the invoice is paid.',
  },
  action_required: {
    subject: 'Please confirm the payment of invoice {{ number }}',
    heading: 'Your bank asks for your confirmation',
    body: 'Invoice {{ number }} for {{ month }} over {{ amount }} can be paid once you confirm the payment with your bank.',
    button: 'Confirm the payment',
    footer: 'The button leads to the page of the invoice, and from there to your bank.',
  },
  payment_taken_back: {
    subject: 'The payment of invoice {{ number }} was taken back',
    heading: 'Your bank took the payment back',
    body: 'The payment of invoice {{ number }} for {{ month }} over {{ amount }} was returned or disputed at your bank, so the invoice is open again. It is not collected by itself.',
    button: 'Pay now',
    footer:
      'If this was a mistake, tell your bank or the operator. After a week, broadcasts are held until the invoice is paid.',
  },
  refund: {
    subject: 'Refund for invoice {{ number }}: {{ refunded }}',
    heading: 'A payment was refunded',
    body: 'Of invoice {{ number }} for {{ month }} over {{ amount }}, {{ refunded }} has been refunded. It may take some days until it is in your account.',
    button: 'Show the invoice',
    footer: 'You do not need to do anything.',
  },
  past_due: {
    subject: 'Invoice {{ number }} is overdue: broadcasts are held',
    heading: 'Invoice {{ number }} is overdue',
    body: 'Invoice {{ number }} for {{ month }} over {{ amount }} was due on {{ dueDate }}. Until it is paid, broadcasts are held. Single messages, sign-in and everything else go on.{% if collection == "manual" %} Please pay it as agreed, and state its number.{% endif %}',
    button: '{% if collection == "manual" %}Show the invoice{% else %}Pay now{% endif %}',
    footer: 'Held broadcasts go on by themselves as soon as the invoice is paid.',
  },
  cap: {
    subject: '{{ percent }} % of your spending cap is used',
    heading: '{{ percent }} % of the spending cap is used',
    body: 'In {{ month }}, {{ amount }} of the cap of {{ cap }} is spent. What would cross the cap is refused.',
    footer: 'An owner can change or remove the cap with billing.cap.set. billing.usage.get shows what was used.',
  },
};
