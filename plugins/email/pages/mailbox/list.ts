import type { PageAnswer } from '#core/kernel/page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import type { ListedMail } from '../../mailbox/store.js';
import { time, page, subjectOf } from './frame.js';

/** The messages, newest first. */
export function listView(
  mails: readonly ListedMail[],
  at: { folder: string; more: boolean; first: boolean },
): PageAnswer {
  const rows = mails.map(
    ({ id, recipients, subject, at: when }) => html`
      <li>
        <a href=${`?message=${id}`}>
          <span class="subject">${subjectOf(subject)}</span>
          <span class="to"><span class="hidden">to </span>${recipients.join(', ')}</span>
          <span class="when">${time(when)}</span>
        </a>
      </li>
    `,
  );
  return page({
    title: 'Mailbox',
    body: html`
      <h1>Mailbox</h1>
      <p class="muted">
        Mail that svc would have sent. <code>SVC_SMTP_URL</code> is not set, so the newest 500 messages are kept
        in${' '} <code>${at.folder}</code>. Only this machine can see this page.
      </p>
      ${
        rows.length > 0
          ? html`<ol class="mails card">
              ${rows}
            </ol>`
          : empty(at.first)
      }
      <nav class="turn" aria-label="More messages">
        ${!at.first && html`<a href="/dev/mailbox">Newest messages</a>`}
        ${at.more && html`<a href=${`?before=${mails.at(-1)?.id ?? ''}`}>Older messages</a>`}
      </nav>
    `,
  });
}

const empty = (first: boolean): Markup => html`
  <div class="card">
    <h2>${first ? 'No mail yet' : 'No older mail'}</h2>
    <p>${first ? 'Call email.send, then reload this page.' : 'There are no older messages.'}</p>
  </div>
`;
