import { counted } from '#config/counted.js';
import type { Origin } from '#core/messaging/origins.js';
import type { PageAnswer } from '#core/kernel/page.js';
import { originLabels } from '#core/messaging/origins.js';
import { unseen } from '#core/surfaces/pages/developer-page.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { badges } from '#core/surfaces/pages/badges.js';
import { ago } from '#core/surfaces/pages/time.js';
import { withLinks } from '#core/surfaces/pages/links.js';
import type { StoredText } from '../../providers/log/store.js';
import { countSegments } from '../../segments.js';
import { longestText, page, phonePath, problemLine } from './frame.js';

export interface ConversationModel {
  phone: string;
  /** Oldest first. */
  texts: readonly (StoredText & { origin: Origin | undefined; keyword: string | undefined })[];
  newestId: string;
  /**
   * The numbers that this phone can write to, starting with the one that wrote last; empty if texts cannot be written.
   */
  numbers: readonly string[];
  /** What was entered, and what is wrong with it. */
  entered?: { body: string; problem: string };
}

/** The texts that one phone received and wrote, and a form to write more. */
export function conversationView({ phone, texts, newestId, numbers, entered }: ConversationModel): PageAnswer {
  return page({
    title: phone,
    ...(entered ? { status: 400 } : {}),
    body: html`
      <div class="bar">
        <nav class="turn" aria-label="Phone"><a href=${phonePath}>← All phones</a></nav>
        <h1>${phone}</h1>
      </div>
      <p id="said" class="unseen" role="status"></p>
      <div id="texts" data-newest=${newestId}>
        <ol class="texts">
          ${texts.map(bubble)}
        </ol>
      </div>
      ${problemLine(entered?.problem)} ${numbers.length > 0 && answerForm(numbers, entered?.body)}
    `,
  });
}

const bubble = ({ id, direction, body, number, at, origin, keyword }: ConversationModel['texts'][number]): Markup => {
  const { segments, encoding } = countSegments(body);
  return html`
    <li class=${direction} data-item=${id}>
      <p class="bubble">
        ${unseen(direction === 'in' ? 'Written here: ' : `From ${number}: `)}<bdi>${withLinks(body)}</bdi>
      </p>
      <p class="facts-line">
        <span>${direction === 'in' ? 'to' : 'from'} ${number}</span>
        <span>${ago(at)}</span>
        ${direction === 'out' && html`<span>${counted(segments, 'segment')}, ${encoding}</span>`}
        ${origin && badges(originLabels(origin))}
        ${keyword !== undefined && html`<span class="badge">${keyword.toUpperCase()}</span>`}
      </p>
    </li>
  `;
};

const words = ['STOP', 'START', 'HELP'];

const answerForm = (numbers: readonly string[], body: string | undefined): Markup => html`
  <form method="post" class="card write" id="write">
    <label for="body">Answer</label>
    <textarea id="body" name="body" maxlength=${longestText} rows="2">${body}</textarea>
    ${numberField(numbers)}
    <div class="line">
      <button name="do" value="write">Send</button>
      ${words.map((word) => html`<button class="quiet" name="word" value=${word}>${word}</button>`)}
    </div>
  </form>
`;

const numberField = (numbers: readonly string[]): Markup =>
  numbers.length === 1
    ? html`<input type="hidden" name="number" value=${numbers[0]} />`
    : html`<div class="line">
        <label for="number">To</label>
        <select id="number" name="number">
          ${numbers.map((number) => html`<option>${number}</option>`)}
        </select>
      </div>`;
