import type { EmailTexts } from '#core/messaging/system-template.js';

/** The mails about invoices and the cap. Each is a system template, `billing.<kind>`. */
export const mailKinds = [
  'invoice',
  'receipt',
  'payment_failed',
  'action_required',
  'payment_taken_back',
  'refund',
  'past_due',
  'cap',
] as const;
export type MailKind = (typeof mailKinds)[number];

/** The texts of one language. */
export type MailTexts = Readonly<Record<MailKind, EmailTexts>>;
