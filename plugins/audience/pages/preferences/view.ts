import type { PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import { fill, fillText } from '#core/surfaces/pages/texts.js';
import type { Holder } from '../../preferences/resolve-link.js';
import type { PreferencesValue } from '../../preferences/present.js';
import { choices, type Topic } from './choices.js';
import { reachableOn } from './form.js';
import { styles } from './styles.js';
import { ending, leaving } from './ways-out.js';
import type { Outcome, PreferencesWords } from './words.js';

/** In which language and look somebody is answered. */
export interface Setting {
  lang: string;
  words: PreferencesWords;
  theme: PageTheme;
}

export interface Shown {
  holder: Holder;
  preferences: PreferencesValue;
  /** What the form that was just submitted did; `stale`: nothing, what it asked for is no longer there. */
  done: Outcome | 'stale' | null;
}

/** The page of somebody's preferences. Its forms post to its own address, so the token stands in no markup. */
export function preferencesView({ lang, words, theme }: Setting, { holder, preferences, done }: Shown): PageAnswer {
  const { projectName } = preferences;
  const names = { project: html`<bdi>${projectName}</bdi>` };
  const reachable = reachableOn(holder);
  const topic = topicOfMessage(holder, preferences);
  const news = newsOf(words, done, topic);
  return renderPage({
    title: news ?? (done === 'stale' ? words.stale.heading : words.title),
    lang,
    theme,
    styles,
    status: done === 'stale' ? 409 : 200,
    body: html`
      ${
        news !== null &&
        html`<div class="said" role="status" tabindex="-1" autofocus>
          <span class="mark" aria-hidden="true">✓</span>
          <p>${news}</p>
        </div>`
      }
      ${
        done === 'stale' &&
        html`<div class="said" role="alert">
          <span class="mark" aria-hidden="true">!</span>
          <p><strong>${words.stale.heading}</strong><span>${words.stale.said}</span></p>
        </div>`
      }
      <div class="card">
        <h1>${fill(words.heading, names)}</h1>
        ${reachable.length === 0 ? html`<p>${fill(words.nobody, names)}</p>` : html`<p>${words.lead}</p>`}
        ${leaving(words, topic)} ${reachable.length > 0 && choices(words, preferences, reachable, names)}
      </div>
      ${ending(words, preferences, reachable, names)}
      ${reachable.map((channel) => html`<form id=${`again-${channel}`} method="post"></form>`)}
    `,
  });
}

/** The topic of the message that led here, as the page shows it. */
const topicOfMessage = ({ message }: Holder, { channels }: PreferencesValue): Topic | undefined =>
  message ? channels[message.channel].topics.find(({ key }) => key === message.topic) : undefined;

function newsOf({ done: said }: PreferencesWords, done: Shown['done'], topic: Topic | undefined): string | null {
  if (done === null || done === 'stale') return null;
  if (done !== 'left') return said[done];
  return topic ? fillText(said.left, { topic: topic.name }) : said.saved;
}
