import type { SvcError } from '#core/kernel/errors/errors.js';
import type { PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { renderPage } from '#core/surfaces/pages/page.js';
import type { PageTheme } from '#core/surfaces/pages/theme.js';
import { fill, fillText } from '#core/surfaces/pages/texts.js';
import type { PreferencesValue } from '../../preferences/present.js';
import type { ResolvedLink } from '../../preferences/token.js';
import { channelsWithAddress } from './form.js';
import { topicSection, topicsForm, unsubscribeSection, type Topic } from './sections.js';
import { styles } from './styles.js';
import type { Outcome, PageError, PreferencesTexts } from './texts.js';

/** The language and theme of a page. */
export interface Appearance {
  lang: string;
  texts: PreferencesTexts;
  theme: PageTheme;
}

interface ViewModel {
  link: ResolvedLink;
  preferences: PreferencesValue;
  /**
   * What the submitted form did; `stale` if it did nothing, because a topic or address that it names no longer exists.
   */
  done: Outcome | 'stale' | null;
}

/**
 * The page of a person's preferences. Its forms post to its own URL, so that the token appears nowhere in the markup.
 */
export function preferencesView(
  { lang, texts, theme }: Appearance,
  { link, preferences, done }: ViewModel,
): PageAnswer {
  const names = { project: html`<bdi>${preferences.projectName}</bdi>` };
  const on = channelsWithAddress(link);
  const topic = topicOfMessage(link, preferences);
  const status = statusText(texts, done, topic);
  return renderPage({
    title: status ?? (done === 'stale' ? texts.stale.heading : texts.title),
    lang,
    theme,
    styles,
    status: done === 'stale' ? 409 : 200,
    body: html`
      ${
        status !== null &&
        html`<div class="said" role="status" tabindex="-1" autofocus>
          <span class="mark" aria-hidden="true">✓</span>
          <p>${status}</p>
        </div>`
      }
      ${
        done === 'stale' &&
        html`<div class="said" role="alert">
          <span class="mark" aria-hidden="true">!</span>
          <p><strong>${texts.stale.heading}</strong><span>${texts.stale.text}</span></p>
        </div>`
      }
      <div class="card">
        <h1>${fill(texts.heading, names)}</h1>
        ${on.length === 0 ? html`<p>${fill(texts.noAddress, names)}</p>` : html`<p>${texts.lead}</p>`}
        ${topicSection(texts, topic)} ${on.length > 0 && topicsForm(texts, preferences, on, names)}
      </div>
      ${unsubscribeSection(texts, preferences, on, names)}
      ${on.map((channel) => html`<form id=${`allow-${channel}`} method="post"></form>`)}
    `,
  });
}

/** The topic of the message that contains the link, as the page shows it. */
const topicOfMessage = ({ message }: ResolvedLink, { channels }: PreferencesValue): Topic | undefined =>
  message ? channels[message.channel].topics.find(({ key }) => key === message.topic) : undefined;

function statusText(texts: PreferencesTexts, done: ViewModel['done'], topic: Topic | undefined): string | null {
  if (done === null || done === 'stale') return null;
  if (done !== 'unsubscribedTopic') return texts.done[done];
  return topic ? fillText(texts.done.unsubscribedTopic, { topic: topic.name }) : texts.done.saved;
}

const pageErrors: Readonly<Record<string, PageError>> = {
  not_found: 'invalid',
  link_expired: 'expired',
  rate_limited: 'limited',
};

/** The page that explains why a link does not open, and what to do. */
export function errorView({ lang, texts, theme }: Appearance, refusal: SvcError, requestId: string): PageAnswer {
  const { heading, text, next } = texts.errors[pageErrors[refusal.code] ?? 'failed'];
  return renderPage({
    title: heading,
    lang,
    theme,
    status: refusal.status,
    body: html`
      <div class="card">
        <h1>${heading}</h1>
        <p class="lead">${text}</p>
        <p>${fill(next, { requestId: html`<code>${requestId}</code>` })}</p>
      </div>
    `,
  });
}
