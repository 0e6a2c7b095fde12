import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill, fillText } from '#core/surfaces/pages/texts.js';
import type { Channel } from '../../ports.js';
import type { PreferencesValue } from '../../preferences/present.js';
import type { Names, Topic } from './choices.js';
import { acts, fields } from './form.js';
import type { PreferencesWords } from './words.js';

/** Who comes from a message mostly wants out of what it was part of: that is one press, before everything else. */
export function leaving({ leave }: PreferencesWords, topic: Topic | undefined): Markup {
  if (!topic?.subscribed) return null;
  return html`
    <section class="note leave" aria-labelledby="leave">
      <h2 id="leave">${fill(leave.heading, { topic: html`<bdi>${topic.name}</bdi>` })}</h2>
      <p>${leave.said}</p>
      <form class="acts" method="post">
        <button class="quiet" name=${fields.act} value=${acts.leave}>
          ${fillText(leave.button, { topic: topic.name })}
        </button>
      </form>
    </section>
  `;
}

export function ending(
  words: PreferencesWords,
  { channels }: PreferencesValue,
  on: readonly Channel[],
  names: Names,
): Markup {
  const open = on.filter((channel) => !channels[channel].unsubscribedAll);
  if (open.length === 0) return null;
  const buttons =
    on.length === 1
      ? [{ act: acts.end, label: words.end.button }]
      : [
          ...open.map((channel) => ({ act: acts.endOn(channel), label: words.channels[channel].end })),
          ...(open.length > 1 ? [{ act: acts.end, label: words.end.button }] : []),
        ];
  return html`
    <section class="card apart" aria-labelledby="end">
      <h2 id="end">${words.end.heading}</h2>
      <p>${fill(words.end.said, names)}</p>
      <form class="acts" method="post">
        ${buttons.map(({ act, label }) => html`<button class="quiet" name=${fields.act} value=${act}>${label}</button>`)}
      </form>
    </section>
  `;
}
