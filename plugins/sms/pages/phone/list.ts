import type { PageAnswer } from '#core/kernel/page.js';
import { clearButton, unseen } from '#core/surfaces/pages/developer-page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { ago } from '#core/surfaces/pages/time.js';
import type { StoredText } from '../../providers/log/store.js';
import { addressOf, longestText, page, phonePath, problemLine } from './frame.js';
import { longestQuery, type Selection } from './select.js';

export interface ListModel {
  selection: Selection;
  /** The newest text of each phone that is shown, newest first. */
  newest: readonly StoredText[];
  /** Whether there are phones after the ones shown. */
  more: boolean;
  /** The id of the newest text. */
  newestId: string;
  total: number;
  folder: string;
  /** Numbers that can be written to; empty if texts cannot be written. */
  numbers: readonly string[];
  /** A provider is set: only texts of test environments are kept here. */
  hasProvider: boolean;
  /** What was entered, and what is wrong with it. */
  entered?: { from: string; body: string; problem: string };
}

/** The phones that received a text or wrote one. */
export function listView(model: ListModel): PageAnswer {
  const { selection, total, entered, numbers } = model;
  return page({
    title: total === 0 ? 'Phone' : `Phone (${total})`,
    hasNews: selection.before === null,
    ...(entered ? { status: 400 } : {}),
    body: html`
      <div class="bar">
        <h1>Phone</h1>
        ${total > 0 && search(selection)} ${total > 0 && clearButton('Clear the texts', total, 'text')}
      </div>
      ${problemLine(entered?.problem)}
      <p id="said" class="unseen" role="status"></p>
      ${numbers.length > 0 && newPhone(model)} ${shown(model)}
      <p class="muted about"><small>${about(model)}</small></p>
    `,
  });
}

const search = ({ query }: Selection): Markup => html`
  <form class="search" role="search" action=${phonePath}>
    <label class="unseen" for="q">Search for a phone number</label>
    <input
      id="q"
      name="q"
      type="search"
      inputmode="tel"
      value=${query}
      placeholder="Number"
      autocomplete="off"
      maxlength=${longestQuery}
    />
    <button class="quiet">Search</button>
  </form>
`;

/** The part that the script replaces when new texts arrive. */
const shown = ({ newest, newestId, more, selection: { query, before } }: ListModel): Markup => html`
  <div id="texts" data-newest=${newestId}>
    ${
      newest.length === 0
        ? empty(query !== '', before !== null)
        : html`<ol class="entries card">
            ${newest.map(row)}
          </ol>`
    }
    <nav class="turn" aria-label="More phones">
      ${(query !== '' || before !== null) && html`<a href=${phonePath}>All phones</a>`}
      ${more && html`<a href=${pageAfter(newest, query)}>More phones</a>`}
    </nav>
  </div>
`;

const pageAfter = (newest: readonly StoredText[], query: string): string =>
  `?${new URLSearchParams({ ...(query === '' ? {} : { q: query }), before: newest.at(-1)?.id ?? '' }).toString()}`;

function empty(isSearch: boolean, isLater: boolean): Markup {
  const [heading, words] = isSearch
    ? ['Nothing found', 'No phone’s number has these digits.']
    : isLater
      ? ['No more phones', 'No other phone has received or sent a message.']
      : ['No texts yet', 'Call sms.send: the message will appear here automatically.'];
  return html`<div class="card">
    <h2>${heading}</h2>
    <p>${words}</p>
  </div>`;
}

const row = ({ id, phone, direction, body, at }: StoredText): Markup => html`
  <li>
    <a href=${addressOf(phone)} data-item=${id}>
      <span class="subject">${phone}</span>
      <span class="said">${direction === 'in' && html`${unseen('written here: ')}← `}<bdi>${body}</bdi></span>
      <span class="when">${ago(at)}</span>
    </a>
  </li>
`;

/**
 * Writes from a phone that has not received any text yet, like a person who read a number on a poster. Collapsed, so
 * that it does not push down the texts below it.
 */
const newPhone = ({ numbers, entered, total }: ListModel): Markup => html`
  <details class="card write" open=${entered !== undefined || total === 0}>
    <summary>Write from a phone</summary>
    <form method="post">
      <div class="fields">
        <div>
          <label for="from">From</label>
          <input
            id="from"
            name="phone"
            type="tel"
            required
            maxlength="30"
            autocomplete="off"
            placeholder="+491713920000"
            value=${entered?.from}
          />
        </div>
        <div>
          <label for="number">To</label>
          <select id="number" name="number">
            ${numbers.map((number) => html`<option>${number}</option>`)}
          </select>
        </div>
        <div class="wide">
          <label for="body">Text</label>
          <textarea id="body" name="body" required maxlength=${longestText} rows="2">${entered?.body}</textarea>
        </div>
      </div>
      <div class="line"><button name="do" value="write">Send</button></div>
    </form>
  </details>
`;

const about = ({ folder, hasProvider }: ListModel): Markup =>
  hasProvider
    ? html`<code>SVC_SMS_URL</code> is set, so only the sign-in texts of test environments are kept here, in${' '}
        <code>${folder}</code>. Only this machine can see this page.`
    : html`Messages that svc would have sent: <code>SVC_SMS_URL</code> is not set, so the newest 1,000 are kept in${' '}
        <code>${folder}</code>. Only this machine can see this page.`;
