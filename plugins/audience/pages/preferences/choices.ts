import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill } from '#core/surfaces/pages/texts.js';
import type { Channel } from '../../ports.js';
import { isUndoneHere, type PreferencesValue } from '../../preferences/present.js';
import { acts, fields, masked } from './form.js';
import type { PreferencesWords } from './words.js';

/** Markup for the {placeholders} of the words. */
export type Names = Readonly<Record<string, Markup>>;

export type Topic = PreferencesValue['channels'][Channel]['topics'][number];

/** Browsers that fill ticks in from memory would show something else than what is so. */
export const choices = (
  words: PreferencesWords,
  preferences: PreferencesValue,
  on: readonly Channel[],
  names: Names,
) => html`
  <form method="post" autocomplete="off">
    ${on.map((channel) => choicesOn(words, preferences, channel, names))}
    ${
      on.some((channel) => preferences.channels[channel].topics.length > 0) &&
      html`<div class="acts"><button name=${fields.act} value=${acts.save}>${words.save}</button></div>`
    }
  </form>
`;

function choicesOn(words: PreferencesWords, preferences: PreferencesValue, channel: Channel, names: Names): Markup {
  const said = words.channels[channel];
  const { topics, suppressionReason } = preferences.channels[channel];
  return html`
    <fieldset
      aria-describedby=${suppressionReason === null ? `${channel}-address` : `${channel}-address ${channel}-note`}
    >
      <legend><h2>${said.legend}</h2></legend>
      <p class="address" id=${`${channel}-address`}><bdi>${masked(preferences, channel)}</bdi></p>
      ${
        suppressionReason !== null &&
        html`<div class="note">
          <p id=${`${channel}-note`}>${fill(said.reasons[suppressionReason], names)}</p>
          ${
            isUndoneHere(suppressionReason) &&
            html`<button class="quiet" form=${`again-${channel}`} name=${fields.act} value=${acts.againOn(channel)}>
              ${said.again}
            </button>`
          }
        </div>`
      }
      ${
        topics.length === 0
          ? html`<p class="muted">${said.nothing}</p>`
          : html`<ul class="topics">
              ${topics.map((topic) => choice(topic, channel))}
            </ul>`
      }
    </fieldset>
  `;
}

function choice({ key, name, description, subscribed }: Topic, channel: Channel): Markup {
  const id = `${channel}-${key}`;
  return html`
    <li>
      <input type="hidden" name=${fields.shown(channel, subscribed)} value=${key} />
      <label class="choice">
        <input
          type="checkbox"
          name=${fields.ticked(channel)}
          value=${key}
          checked=${subscribed}
          aria-labelledby=${`${id}-name`}
          aria-describedby=${description === null ? null : `${id}-about`}
        />
        <span>
          <span class="name" id=${`${id}-name`}><bdi>${name}</bdi></span>
          ${description !== null && html`<span class="about" id=${`${id}-about`}><bdi>${description}</bdi></span>`}
        </span>
      </label>
    </li>
  `;
}
