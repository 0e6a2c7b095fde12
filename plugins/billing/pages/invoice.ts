import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { privateHeaders } from '#core/surfaces/pages/page.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { fillText } from '#core/surfaces/pages/texts.js';
import { deploymentSettings } from '../settings/deployment-settings.js';
import { formatsOf, type Formats } from '../invoices/pdf/format.js';
import { documentOf } from '../invoices/pdf/document.js';
import { readInvoice } from '../invoices/read.js';
import { isUnpaid } from '../invoices/status.js';
import { roundToMinor } from '../money/micros.js';
import { knownAbout, type Known } from '../payments/collection/attempts.js';
import { followUp, payWithOwner } from '../payments/collection/pay-now.js';
import { isCollectionRunning } from '../payments/collection/lease.js';
import { isCollectionDue, openAttempt } from '../payments/collection/plan.js';
import { findProvider } from '../providers/find-provider.js';
import { failureText } from '../failures/failure-text.js';
import { idOfToken } from '../accounts/links.js';
import { setupFromPage } from '../payments/setup/from-page.js';
import { invoices, type InvoiceRow } from '../tables/invoice.js';
import { appearanceFor, cardPage, leaveTo, type Appearance } from './appearance.js';
import { limitForm, limitRequest } from './limits.js';
import type { BillingTexts } from './texts/billing-texts.js';

/**
 * The page of an invoice: its total, its PDF, and a way to pay it. Mails link to it, and banks lead back to it.
 * Cross-site posts are safe: the credential is the token in the URL, not a cookie. Opening it changes nothing, because
 * mail scanners follow links.
 */
export const invoicePage: Page = {
  path: '/billing/invoice',
  methods: ['GET', 'POST'],
  acceptsCrossSitePosts: true,
  async answer(page, services) {
    await limitRequest(services, page);
    const token = page.query.get('token') ?? '';
    const id = idOfToken(services.vault, 'invoice', token);
    const invoice = id === null ? null : await services.database.findOne(invoices, { id });
    if (!invoice) throw refusalOf.not_found({ thing: 'page', lookup: 'the link that led here' });
    if (page.query.has('pdf')) return pdfOf(services, invoice);
    const self = `?${new URLSearchParams({ token }).toString()}`;
    if (page.query.has('returned')) {
      await followUp(services, invoice.id);
      // Without what the provider adds to the URL.
      return seeOther(self);
    }
    const appearance = await appearanceFor(page, services);
    return page.method === 'POST'
      ? submit(page, services, { appearance, invoice, self })
      : show(services, { appearance, invoice, self }, page.query.has('unavailable'));
  },
};

interface View {
  readonly appearance: Appearance;
  readonly invoice: InvoiceRow;
  readonly self: string;
}

async function submit({ form }: PageRequest, services: Services, view: View): Promise<PageAnswer> {
  const { appearance, invoice, self } = view;
  if (!isUnpaid(invoice)) return seeOther(self);
  await limitForm(services, invoice.id);
  if (form.get('action') === 'method') {
    const url = await setupFromPage(
      services,
      invoice.accountId,
      `${services.deployment.baseUrl}/billing/invoice${self}`,
    );
    return url === null ? seeOther(`${self}&unavailable=1`) : leaveTo(appearance, url);
  }
  const settled = await payWithOwner(services, invoice.id);
  if (settled === 'unavailable') return seeOther(`${self}&unavailable=1`);
  if (settled?.status === 'requires_action' && settled.url !== null) return leaveTo(appearance, settled.url);
  return seeOther(self);
}

async function show(services: Services, view: View, isUnavailable: boolean): Promise<PageAnswer> {
  const { appearance, invoice, self } = view;
  const { lang, formatTag, texts } = appearance;
  const known = await knownAbout({ db: services.database, deployment: services.deployment }, invoice);
  const formats = formatsOf(formatTag, invoice.currency);
  const amount = formats.money(roundToMinor(invoice.total, invoice.currency));
  const title = fillText(texts.invoice.title, { number: invoice.number ?? '' });
  const now = services.clock.now();
  const isStarted = openAttempt(known.attempts)?.status === 'started';
  const isRunning = isStarted && (await isCollectionRunning(services.database, invoice.id, now));
  const isCollecting = isRunning || isCollectionDue(known, now);
  const state = stateOf(known, { hasProvider: findProvider(services.deployment) !== null, isCollecting });
  // A worker asks again in a few minutes, and the owner may do it at once: the attempt that began is continued.
  const hasNoAnswer = isStarted && !isRunning && known.payer !== null;
  // The address may be opened again once the bank is processing the payment.
  const isUnanswered = isUnpaid(invoice) && state !== 'processing' && (hasNoAnswer || isUnavailable);
  const showsFailure =
    isUnpaid(invoice) && state !== 'processing' && state !== 'confirm' && invoice.lastFailure !== null;
  // If it can be paid here, the lead states this.
  const isOverdue = invoice.status === 'past_due' && (state === 'manual' || state === 'noMethod');
  return cardPage(
    appearance,
    title,
    html`
      <h1>${title}</h1>
      <p class="lead" role="status">${texts.invoice.lead[isUnanswered ? 'unavailable' : state]}</p>
      ${isOverdue && html`<p class="warning">${texts.invoice.lead.past_due}</p>`}
      ${showsFailure && html`<p class="warning">${fillText(texts.invoice.failed, { reason: failureText(lang, invoice.lastFailureCode, invoice.lastFailure ?? '') })}</p>`}
      ${factsOf(texts, invoice, formats, amount)} ${formsOf(texts, state, amount)}
      <p class="actions"><a href=${`${self}&pdf=1`}>${texts.invoice.pdf}</a></p>
    `,
  );
}

type State = Exclude<keyof BillingTexts['invoice']['lead'], 'unavailable'>;

/** The page's text about the invoice, and which buttons it has. */
function stateOf(
  { invoice, attempts, payer }: Known,
  { hasProvider, isCollecting }: { hasProvider: boolean; isCollecting: boolean },
): State {
  if (invoice.carriedAt !== null) return 'carried';
  if (invoice.status === 'paid' || invoice.status === 'void') return invoice.status;
  const open = openAttempt(attempts)?.status;
  if (open === 'processing' || isCollecting) return 'processing';
  if (open === 'requires_action') return 'confirm';
  if (!hasProvider) return 'manual';
  if (!payer) return 'noMethod';
  return invoice.status === 'past_due' ? 'past_due' : 'open';
}

function factsOf({ invoice: texts }: BillingTexts, invoice: InvoiceRow, formats: Formats, amount: string): Markup {
  const fact = (name: string, value: string): Markup =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="facts">
    ${fact(texts.number, invoice.number ?? '')} ${fact(texts.month, formats.month(invoice.period))}
    ${fact(texts.amount, amount)}
    ${invoice.paidAt ? fact(texts.paidOn, formats.date(invoice.paidAt)) : invoice.dueAt && fact(texts.due, formats.date(invoice.dueAt))}
  </dl>`;
}

function formsOf({ invoice: texts }: BillingTexts, state: State, amount: string): Markup {
  const form = (action: string, label: string, isQuiet = false): Markup =>
    html`<form method="post">
      <button name="action" value=${action} class=${isQuiet && 'quiet'}>${label}</button>
    </form>`;
  const pay = fillText(texts.pay, { amount });
  if (state === 'noMethod') return form('method', texts.addMethod);
  if (state === 'confirm')
    return html`<div>${form('pay', texts.confirm)} ${form('method', texts.otherMethod, true)}</div>`;
  if (state === 'open' || state === 'past_due')
    return html`<div>${form('pay', pay)} ${form('method', texts.otherMethod, true)}</div>`;
  return null;
}

async function pdfOf(services: Services, invoice: InvoiceRow): Promise<PageAnswer> {
  const read = await services.read('Invoice page', ({ db, deployment, use, clock }) =>
    readInvoice({ db, deployment, use, clock }, invoice.accountId, invoice.period),
  );
  // Loaded at the first PDF: few processes ever make one.
  const { renderInvoice } = await import('../invoices/pdf/render.js');
  const { invoiceFont } = services.deployment.settingsOf(deploymentSettings);
  const at = invoice.issuedAt ?? invoice.createdAt;
  const body = await renderInvoice(documentOf(invoice, read?.lines ?? []), at, invoiceFont);
  const name = `${invoice.number ?? invoice.period}.pdf`;
  const headers = { ...privateHeaders, 'Content-Disposition': `attachment; filename="${name}"` };
  return { status: 200, body, type: 'application/pdf', headers };
}
