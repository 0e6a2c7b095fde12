import type { PageAnswer } from '#core/kernel/page.js';
import { developerNotice, developerPage, nothingHere } from '#core/surfaces/pages/developer-page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { styles } from './styles.js';

/** The path of the mailbox. */
export const mailboxPath = '/dev/mailbox';

interface MailboxContent {
  title: string;
  body: Markup;
  status?: number;
  script?: string;
}

/** A page of the mailbox. The frame holds the HTML part, a document of the same origin. */
export const page = (content: MailboxContent): PageAnswer =>
  developerPage({ styles, policy: { 'frame-src': "'self'" }, ...content });

/** For callers who may not see the mailbox, and for messages that do not exist. */
export const notFoundView = (): PageAnswer => nothingHere();

export const mailboxOffView = (): PageAnswer =>
  developerNotice(
    'The mailbox is off',
    html`<code>SVC_SMTP_URL</code> is set, so mail is sent through that server and not kept here.`,
  );

/** A subject, or a note that there is none. */
export const subjectOf = (subject: string | undefined): Markup =>
  subject === undefined || subject === '' ? html`<span class="muted">(no subject)</span>` : html`<bdi>${subject}</bdi>`;
