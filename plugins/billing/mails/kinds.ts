import type { EmailTexts } from '#core/messaging/system-template.js';

/** The mails about invoices and the cap. Each is a system template, `billing.<kind>`. */
export type MailKind =
  'invoice' | 'receipt' | 'payment_failed' | 'action_required' | 'payment_taken_back' | 'refund' | 'past_due' | 'cap';

/** The texts of one language. */
export type MailTexts = Readonly<Record<MailKind, EmailTexts>>;
