import type { PageAnswer } from '#core/kernel/page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { styles } from './styles.js';

/** Its readers develop with svc, whose words are English; the mails are in whatever language they are. */
export const page = (content: { title: string; body: Markup; status?: number }): PageAnswer =>
  renderPage({
    lang: 'en',
    theme: { ...defaultPageTheme, brandName: 'svc' },
    styles,
    // Nothing from elsewhere, not even images; the frame holds the HTML part, a document of this same address.
    policy: { 'img-src': 'data:', 'frame-src': "'self'" },
    ...content,
  });

const notice = (title: string, words: Markup): PageAnswer =>
  page({
    title,
    status: 404,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p class="lead">${words}</p>
    </div>`,
  });

/** For strangers, and for what is not there. */
export const missingView = (): PageAnswer => notice('There is nothing here', 'Check the address.');

export const closedView = (): PageAnswer =>
  notice(
    'The mailbox is closed',
    html`<code>SVC_SMTP_URL</code> is set: mail leaves by that server, and none is kept here.`,
  );

/** A moment to the second, in UTC. */
export const moment = (at: Date): Markup => html`
  <time datetime=${at.toISOString()}>
    ${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }).format(at)} UTC
  </time>
`;

/** A subject, or that there is none. */
export const subjectOf = (subject: string | undefined): Markup =>
  subject === undefined || subject === '' ? html`<span class="muted">(no subject)</span>` : html`<bdi>${subject}</bdi>`;
