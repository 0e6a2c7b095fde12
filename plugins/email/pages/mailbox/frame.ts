import type { PageAnswer } from '#core/kernel/page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import { defaultPageTheme } from '#core/surfaces/pages/theme.js';
import { styles } from './styles.js';

/** The path of the mailbox. */
export const mailboxPath = '/dev/mailbox';

interface MailboxContent {
  title: string;
  body: Markup;
  status?: number;
  script?: string;
}

/** A page of the mailbox. It is for developers and always in English. */
export const page = (content: MailboxContent): PageAnswer =>
  renderPage({
    lang: 'en',
    theme: { ...defaultPageTheme, brandName: 'svc' },
    styles,
    // Nothing remote, not even images. The frame holds the HTML part, a document of the same origin; the script asks this page for news.
    policy: {
      'img-src': 'data:',
      'frame-src': "'self'",
      ...(content.script === undefined ? {} : { 'connect-src': "'self'" }),
    },
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

/** For callers who may not see the mailbox, and for messages that do not exist. */
export const notFoundView = (): PageAnswer => notice('Page not found', 'There is nothing at this address.');

export const mailboxOffView = (): PageAnswer =>
  notice(
    'The mailbox is off',
    html`<code>SVC_SMTP_URL</code> is set, so mail is sent through that server and not kept here.`,
  );

/** A subject, or a note that there is none. */
export const subjectOf = (subject: string | undefined): Markup =>
  subject === undefined || subject === '' ? html`<span class="muted">(no subject)</span>` : html`<bdi>${subject}</bdi>`;

/** Words for screen readers alone. */
export const unseen = (words: Markup): Markup => html`<span class="unseen">${words}</span>`;
