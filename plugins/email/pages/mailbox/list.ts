import type { PageAnswer } from '#core/kernel/page.js';
import { clearButton, unseen } from '#core/surfaces/pages/developer-page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { messageKinds, type MessageKind, type Origin } from '#core/messaging/origins.js';
import { originLabels } from '#core/messaging/origins.js';
import type { ListedMail } from '../../mailbox/store.js';
import { newsScript } from '#core/surfaces/pages/news-script.js';
import { badges } from '#core/surfaces/pages/badges.js';
import { mailboxPath, page, subjectOf } from './frame.js';
import { ago } from '#core/surfaces/pages/time.js';

export interface ListModel {
  mails: readonly (ListedMail & { origin: Origin | undefined })[];
  folder: string;
  /** The id of the newest message of the mailbox; empty if there is none. */
  newest: string;
  /** How many messages the mailbox has. */
  total: number;
  /** Whether there are older messages than the ones shown. */
  more: boolean;
  /** Whether the page begins with the newest. */
  first: boolean;
  /** The search term; empty for all. */
  query: string;
  /** The origin of the messages that are shown; undefined for all. */
  kind: MessageKind | undefined;
}

/** The messages, newest first. */
export function listView(model: ListModel): PageAnswer {
  const { total, folder, query, kind, first } = model;
  return page({
    title: total === 0 ? 'Mailbox' : `Mailbox (${total})`,
    ...(first ? { script: newsScript({ path: mailboxPath, element: 'mails' }) } : {}),
    body: html`
      <div class="bar">
        <h1>Mailbox</h1>
        <form class="search" role="search" action=${mailboxPath}>
          <label class="unseen" for="q">Search the messages</label>
          <input id="q" name="q" type="search" value=${query} placeholder="Search" autocomplete="off" maxlength="200" />
          ${kind !== undefined && html`<input type="hidden" name="kind" value=${kind} />`}
          <button class="quiet">Search</button>
        </form>
        ${total > 0 && clearButton('Clear the mailbox', total, 'message')}
      </div>
      <p id="said" class="unseen" role="status"></p>
      ${total > 0 && filters(query, kind)} ${shown(model)}
      <p class="muted about">
        <small
          >Mail that svc would have sent: <code>SVC_SMTP_URL</code> is not set, so the newest 500 messages are kept
          in${' '}<code>${folder}</code>. Only this machine can see this page.</small
        >
      </p>
    `,
  });
}

/** The part that the script replaces when there is new mail. */
const shown = ({ mails, newest, first, more, query, kind }: ListModel): Markup => html`
  <div id="mails" data-newest=${newest}>
    ${
      mails.length > 0
        ? html`<ol class="entries card">
            ${mails.map(row)}
          </ol>`
        : empty(first, query !== '' || kind !== undefined)
    }
    <nav class="turn" aria-label="More messages">
      ${(!first || query !== '') && html`<a href=${mailboxPath}>${query === '' ? 'Newest messages' : 'All messages'}</a>`}
      ${more && html`<a href=${addressOf({ before: mails.at(-1)?.id, q: query, kind })}>Older messages</a>`}
    </nav>
  </div>
`;

/** The address of a list. */
function addressOf(fields: Readonly<Record<'before' | 'q' | 'kind', string | undefined>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] satisfies [string, string]],
  );
  return given.length === 0 ? mailboxPath : `?${new URLSearchParams(given).toString()}`;
}

const kindLabels: Readonly<Record<MessageKind, string>> = {
  single: 'Single',
  broadcast: 'Broadcasts',
  automation: 'Automations',
  system: 'System',
};

/** Links to the messages of one kind. */
const filters = (q: string, current: MessageKind | undefined): Markup => html`
  <nav class="tabs" aria-label="Kinds of messages">
    ${[undefined, ...messageKinds].map(
      (kind) =>
        html`<a href=${addressOf({ before: undefined, q, kind })} aria-current=${kind === current ? 'page' : undefined}
          >${kind === undefined ? 'All' : kindLabels[kind]}</a
        >`,
    )}
  </nav>
`;

const row = ({ id, recipients, bcc, subject, hasAttachments, at, origin }: ListModel['mails'][number]): Markup => html`
  <li>
    <a href=${`?message=${id}`} data-item=${id}>
      <span class="to"
        >${unseen('to ')}<bdi>${recipients.filter((each) => !bcc.includes(each)).join(', ')}</bdi>${' '}
        ${bcc.length > 0 && html`<span class="bcc">bcc <bdi>${bcc.join(', ')}</bdi></span>`}</span
      >
      <span class="subject">${origin && badges(originLabels(origin))}${subjectOf(subject)}</span>
      <span class="when">${hasAttachments && clip} ${ago(at)}</span>
    </a>
  </li>
`;

const clip: Markup = html`<span class="clip"
  ><svg
    viewBox="0 0 24 24"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    aria-hidden="true"
  >
    <path d="M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.6 1.6 0 0 1-2.3-2.3l7.6-7.6" /></svg
  >${unseen('has attachments, ')}</span
>`;

function empty(first: boolean, filtered: boolean): Markup {
  const [heading, words] = filtered
    ? ['Nothing found', 'No message of this kind contains all of these words in its subject, addresses or text.']
    : first
      ? ['No mail yet', 'Call email.send: the message will appear here automatically.']
      : ['No older mail', 'There are no older messages.'];
  return html`<div class="card">
    <h2>${heading}</h2>
    <p>${words}</p>
  </div>`;
}
