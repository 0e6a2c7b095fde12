/* The texts of the screens of billing that are longer than a label. */

export const texts = {
  invoicesSub:
    'One for each month (UTC) in which something with a price was used. It is issued an hour after the month ends.',
  noInvoices: 'No invoices yet.',
  noInvoicesYet: 'The first one appears here as a draft, with the first thing that has a price.',
  draft: 'The month isn’t over. This is the cost so far. There’s nothing to pay yet.',
  open: 'It has been issued but not paid. It will be charged to the payment method automatically, or you can pay it now.',
  collecting:
    'It is being collected from the payment method, so there is nothing to pay again. A bank can take days. If it fails, the reason is shown here.',
  openWithout: 'It has been issued but not paid, and no payment method is set. Add one, and it is charged immediately.',
  paid: 'It is paid. Nothing is due.',
  void: 'It was voided by the operator. Nothing is due.',
  carried:
    'The amount is below the payment provider’s minimum. It is added to a later invoice, and nothing is due now.',
  pastDue: 'An invoice is overdue.',
  pastDueMeans:
    'Broadcasts are held until it is paid. Single messages, automations and sign-in continue. Broadcasts resume automatically after the payment.',
  pageHint: 'Anyone with the link can pay on this page, without signing in: send it to the person who pays.',
  mayNotPay: 'Your role can view invoices but not pay them.',
  pay: 'The amount is collected from the payment method now. A payment in progress is not started again.',
  noLines: 'Nothing with a price was used.',
  paymentSub: 'How invoices are paid, what the operator has granted, and what is printed on invoices.',
  methodNone: 'No payment method. Invoices are not collected until there is one.',
  capMissing: 'Enter an amount, or remove the cap.',
  methodAdd:
    'You enter it on a page of the payment provider, and come back here. svc never sees it. Unpaid invoices are charged to it immediately.',
  methodReplace:
    'A new method replaces this one. It can’t be removed without a replacement, because invoices are charged to it.',
  creditsNone:
    'No credits. The operator of this server can grant them; invoices use them before anything is collected.',
  creditsUse: 'Invoices use the credits that expire first.',
  detailsNone: 'Nothing is set: invoices name only the account, and go to its owners.',
  details: 'A change applies to later invoices.',
  capNone: 'No cap is set. Spending is not limited.',
  capMeans:
    'Sends that would exceed it are refused before anything is queued. Sign-in codes, rent, contacts and active users count and are never refused. Owners get an email at 50% and 80%.',
} as const;
