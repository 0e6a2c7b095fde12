import type { PageAnswer } from '#core/kernel/page.js';
import { clearButton, unseen } from '#core/surfaces/pages/developer-page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { ago } from '#core/surfaces/pages/time.js';
import type { StoredText } from '../../providers/log/store.js';
import { addressOf, longestText, page, problemLine } from './frame.js';

export interface ListModel {
  /** The newest text of each phone, newest first. */
  newest: readonly StoredText[];
  /** The id of the newest text. */
  newestId: string;
  total: number;
  folder: string;
  /** Numbers that can be written to; empty where texts cannot be written. */
  numbers: readonly string[];
  /** A provider is set: only texts of test environments stay here. */
  hasProvider: boolean;
  /** What was entered, and what is wrong with it. */
  entered?: { from: string; body: string; problem: string };
}

/** Every phone that got a text or wrote one. */
export function listView(model: ListModel): PageAnswer {
  const { newest, newestId, total, entered } = model;
  return page({
    title: total === 0 ? 'Phone' : `Phone (${total})`,
    ...(entered ? { status: 400 } : {}),
    body: html`
      <div class="bar">
        <h1>Phone</h1>
        ${total > 0 && clearButton('Clear the texts', total, 'text')}
      </div>
      ${problemLine(entered?.problem)}
      <p id="said" class="unseen" role="status"></p>
      <div id="texts" data-newest=${newestId}>
        ${
          newest.length === 0
            ? html`<div class="card">
                <h2>No texts yet</h2>
                <p>Call sms.send: the text appears here by itself.</p>
              </div>`
            : html`<ol class="entries card">
                ${newest.map(row)}
              </ol>`
        }
      </div>
      ${model.numbers.length > 0 && newPhone(model)}
      <p class="muted about"><small>${about(model)}</small></p>
    `,
  });
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

/** Writes from a phone that got no text yet, as somebody does who read a number on a poster. */
const newPhone = ({ numbers, entered }: ListModel): Markup => html`
  <form method="post" class="card write">
    <h2>Write from a phone</h2>
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
          placeholder="+4915123456789"
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
`;

const about = ({ folder, hasProvider }: ListModel): Markup =>
  hasProvider
    ? html`<code>SVC_SMS_URL</code> is set, so only the sign-in texts of test environments are kept here, in${' '}
        <code>${folder}</code>. Only this machine can see this page.`
    : html`Texts that svc would have sent: <code>SVC_SMS_URL</code> is not set, so the newest 1,000 are kept in${' '}
        <code>${folder}</code>. Only this machine can see this page.`;
