import type { PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { idText } from '#core/runtime/id.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { leadingTo } from '#core/surfaces/pages/leading-to.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { defaultPageTheme, type PageTheme } from '#core/surfaces/pages/theme.js';
import type { Language } from '#core/kernel/language.js';
import { textsFor } from '#core/surfaces/pages/texts.js';
import { directory } from '#plugins/account/ports.js';
import { billingTexts } from './texts/texts.js';
import type { BillingTexts } from './texts/billing-texts.js';

/** The language and theme of a page. */
export interface Appearance {
  readonly lang: Language;
  /** The tag to format numbers and dates with. */
  readonly formatTag: string;
  readonly texts: BillingTexts;
  readonly theme: PageTheme;
}

/** In the reader's language and the theme of the operator, who issues the invoices. */
export async function appearanceFor({ languages }: PageRequest, services: Services): Promise<Appearance> {
  const [row] = await services.database.rows<{ id: Buffer }>(
    "SELECT id FROM svc_environment WHERE operator = 1 AND kind = 'live' ORDER BY id LIMIT 1",
  );
  const environment = row ? await findEnvironment(services.database, idText(row.id)) : null;
  const theme = environment
    ? await services.read('Billing page', ({ use }) => use(directory).theme(environment))
    : defaultPageTheme;
  return { ...textsFor(billingTexts, languages), theme };
}

/** A page with one card. @param body begins with the h1 */
export const cardPage = ({ lang, theme }: Appearance, title: string, body: Markup): PageAnswer =>
  renderPage({ title, lang, theme, styles, body: html`<div class="card">${body}</div>` });

const styles = `
form + form { margin-top: .75rem; } form { margin: 0 0 .75rem; }
@media (max-width: 39.99rem) { .card button, .card .button { width: 100%; } }
.warning { border-inline-start: 4px solid var(--problem); padding-inline-start: 1rem; }
@media (forced-colors: active) { .warning { border-color: CanvasText; } }
@media print { form, .actions { display: none; } }
`;

/** Sends the browser to a page of the provider, which redirects to the pages of banks. */
export function leaveTo(appearance: Appearance, url: string): PageAnswer {
  const { title, text, button } = appearance.texts.leaving;
  const body = html`<h1>${title}</h1>
    <p>${text}</p>
    <p><a class="button" href=${url} rel="noreferrer">${button}</a></p>`;
  return leadingTo(cardPage(appearance, title, body), url);
}
