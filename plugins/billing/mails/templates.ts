import { inEachLanguage, type Translations } from '#core/kernel/language.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import type { MailKind, MailTexts } from './kinds.js';
import { de } from './texts/de.js';
import { en } from './texts/en.js';
import { es } from './texts/es.js';
import { fr } from './texts/fr.js';
import { pt } from './texts/pt.js';

const texts: Translations<MailTexts> = { en, de, fr, es, pt };

function mail(
  kind: MailKind,
  description: string,
  variables: readonly string[],
  requiredVariables: readonly string[],
): EmailSystemTemplate {
  return {
    name: `billing.${kind}`,
    channel: 'email',
    description,
    budget: 'notice',
    variables,
    requiredVariables,
    locales: inEachLanguage((language) => texts[language][kind]),
  };
}

/** `collection` is `manual` if the operator marks invoices as paid, otherwise `provider`. */
const aboutInvoice = (kind: MailKind, description: string, more: readonly string[] = []): EmailSystemTemplate =>
  mail(
    kind,
    description,
    ['number', 'month', 'amount', 'dueDate', 'reason', 'collection', 'url', ...more],
    ['number', 'url'],
  );

/** The mails about invoices, sent to the address in the billing details, or else to the owners. */
export const invoiceMails = {
  invoice: aboutInvoice('invoice', 'Sent when an invoice was issued that is not collected automatically.'),
  receipt: aboutInvoice('receipt', 'Sent when an invoice was paid, with a link to the invoice and its PDF.'),
  failed: aboutInvoice('payment_failed', 'Sent when an invoice could not be collected.'),
  actionRequired: aboutInvoice('action_required', 'Sent when the bank requires an owner to confirm a payment.'),
  takenBack: aboutInvoice(
    'payment_taken_back',
    'Sent when the bank took back the payment of an invoice. The invoice is open again.',
  ),
  refunded: aboutInvoice('refund', 'Sent when a payment of an invoice was refunded in whole or in part.', ['refunded']),
  pastDue: aboutInvoice('past_due', 'Sent when an invoice has been overdue for a week and broadcasts are held.'),
};

export const capMail = mail(
  'cap',
  'Sent when 50% and again when 80% of the spending cap has been used.',
  ['percent', 'month', 'amount', 'cap'],
  ['percent'],
);
