/* The texts of the screens of billing that are longer than a label. */

export const texts = {
  invoicesSub:
    'One for each month (UTC) in which something with a price was used. It is issued an hour after the month ends.',
  noInvoices: 'No invoices yet.',
  noInvoicesYet: 'The first one appears here as a draft, with the first thing that has a price.',
  draft: 'The month is not over. This is what it costs so far, before what is still used. There is nothing to pay yet.',
  open: 'It is issued and not paid. It is collected from the payment method by itself, and can be paid now.',
  collecting:
    'It is being collected from the payment method, so there is nothing to pay again. A bank can take days. If it fails, the reason is shown here.',
  openWithout: 'It is issued and not paid, and there is no payment method. Add one, and it is collected at once.',
  paid: 'It is paid. Nothing is due.',
  void: 'It was voided by the operator. Nothing is due.',
  carried:
    'The payment provider does not collect so little. A later invoice takes the amount over, and nothing is due now.',
  pastDue: 'An invoice is overdue.',
  pastDueMeans:
    'Broadcasts are held until it is paid. Single messages, automations and sign-in go on. Broadcasts continue by themselves after the payment.',
  pageHint: 'Anyone with the link can pay on this page, without signing in: send it to the person who pays.',
  mayNotPay: 'Your role may read invoices and not pay them.',
  pay: 'The amount is collected from the payment method now. A payment in progress is not started again.',
  noLines: 'Nothing with a price was used.',
  paymentSub: 'How invoices are paid, what the operator has granted, and what is printed on invoices.',
  methodNone: 'No payment method. Invoices are not collected until there is one.',
  capMissing: 'Enter an amount, or remove the cap.',
  methodAdd:
    'You enter it on a page of the payment provider, and come back here. svc never sees it. Unpaid invoices are collected from it at once.',
  methodReplace: 'A new method replaces this one. It cannot only be removed, because invoices are collected from it.',
  creditsNone:
    'No credits. The operator of this server can grant them; invoices use them before anything is collected.',
  creditsUse: 'Invoices use the credits that expire first.',
  detailsNone: 'Nothing is set: invoices name the account only, and go to its owners.',
  details: 'A change applies to later invoices.',
  capNone: 'No cap is set. Spending is not limited.',
  capMeans:
    'Sends that would exceed it are refused before anything is queued. Sign-in codes, rent, contacts and active users count and are never refused. Owners get a mail at 50 % and 80 %.',
} as const;
