import type { FullContext } from '#core/kernel/context.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import type { EmailSystemTemplate } from '#core/messaging/system-template.js';
import type { Language } from '#core/kernel/language.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import { directory } from '#plugins/account/ports.js';
import { transactionalMail, type TransactionalMail } from '#plugins/email/ports.js';
import { findBillingAccount } from '../accounts/account.js';
import { formatsOf, type Formats } from '../invoices/pdf/format.js';
import { invoiceTexts } from '../invoices/pdf/translations.js';
import { roundToMinor } from '../money/micros.js';
import { payerOf, findProvider } from '../providers/find-provider.js';
import { failureText } from '../failures/failure-text.js';
import { invoicePageUrl } from '../accounts/links.js';
import type { InvoiceRow } from '../tables/invoice.js';
import { invoiceMails } from './templates.js';

type Mailing = Pick<FullContext, 'db' | 'use' | 'deployment' | 'vault'>;

/** Mails about an invoice, with a link to its page. */
export async function mailOwners(context: Mailing, template: EmailSystemTemplate, invoice: InvoiceRow): Promise<void> {
  const url = invoicePageUrl(context, invoice.id);
  await sendToOwners(context, invoice.accountId, invoice.currency, template, {
    url,
    variables: (formats, lang) => ({
      number: invoice.number ?? '',
      month: formats.month(invoice.period),
      amount: formats.money(roundToMinor(invoice.total, invoice.currency)),
      dueDate: invoice.dueAt ? formats.date(invoice.dueAt) : '',
      collection: findProvider(context.deployment) ? 'provider' : 'manual',
      reason: invoice.lastFailure === null ? '' : failureText(lang, invoice.lastFailureCode, invoice.lastFailure),
      ...(invoice.refunded === 0n ? {} : { refunded: formats.money(invoice.refunded) }),
    }),
  });
}

/** Mails an invoice that was just issued, if it cannot be collected automatically. */
export async function mailUncollectable(context: Mailing, invoice: InvoiceRow): Promise<void> {
  const account = await findBillingAccount(context.db, invoice.accountId);
  if (!payerOf(context.deployment, account)) await mailOwners(context, invoiceMails.invoice, invoice);
}

/**
 * Queues a mail to the address in the account's billing details, or else to the owners. The account's first project
 * sends the mail, in its language. If the account is closed, only the event reports it.
 * @returns whether one was queued
 */
export async function sendToOwners(
  { db, use }: Mailing,
  accountId: string,
  currency: string,
  template: EmailSystemTemplate,
  content: { url?: string; variables: (formats: Formats, lang: Language) => Readonly<Record<string, string>> },
): Promise<boolean> {
  const [environment] = await liveEnvironments(db, accountId);
  if (!environment || environment.closedAt) return false;
  const { lang, formatTag } = textsFor(invoiceTexts, [await use(directory).locale(environment.projectId)]);
  const variables = content.variables(formatsOf(formatTag, currency), lang);
  const billed = (await findBillingAccount(db, accountId))?.details?.email;
  const addresses = billed == null ? await use(directory).ownerAddresses(accountId) : [billed];
  const link = content.url === undefined ? {} : { url: content.url };
  for (const to of addresses)
    await use(transactionalMail).queue(environment, { template, to, variables, locale: lang, ...link });
  return addresses.length > 0;
}

/** Used if the email product is disabled: only events report. */
export const noMail = (): TransactionalMail => ({ queue: () => Promise.resolve({ messageId: '', hasBounced: false }) });
