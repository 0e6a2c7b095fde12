import { html, type Markup } from '#core/surfaces/pages/html.js';
import { fill, fillText } from '#core/surfaces/pages/texts.js';
import type { Channel } from '../../ports.js';
import { isUndoneByPreferences, type PreferencesValue } from '../../preferences/present.js';
import { actions, fields } from './form.js';
import type { PreferencesTexts } from './texts.js';

/** Markup for the {placeholders} of the texts. */
type Names = Readonly<Record<string, Markup>>;

export type Topic = PreferencesValue['channels'][Channel]['topics'][number];

/**
 * Most people who follow the link in a message want to unsubscribe from its topic: one button for that, above
 * everything else.
 */
export function topicSection({ unsubscribeTopic: texts }: PreferencesTexts, topic: Topic | undefined): Markup {
  if (!topic?.subscribed) return null;
  return html`
    <section class="note leave" aria-labelledby="leave">
      <h2 id="leave">${fill(texts.heading, { topic: html`<bdi>${topic.name}</bdi>` })}</h2>
      <p>${texts.text}</p>
      <form class="acts" method="post">
        <button class="quiet" name=${fields.action} value=${actions.unsubscribeTopic}>
          ${fillText(texts.button, { topic: topic.name })}
        </button>
      </form>
    </section>
  `;
}

/** The topics of each channel, with tick boxes. */
export const topicsForm = (
  texts: PreferencesTexts,
  preferences: PreferencesValue,
  on: readonly Channel[],
  names: Names,
) =>
  // autocomplete off: browsers would otherwise restore earlier ticks, which are not the saved state.
  html`
    <form method="post" autocomplete="off">
      ${on.map((channel) => channelFields(texts, preferences, channel, names))}
      ${
        on.some((channel) => preferences.channels[channel].topics.length > 0) &&
        html`<div class="acts"><button name=${fields.action} value=${actions.save}>${texts.save}</button></div>`
      }
    </form>
  `;

function channelFields(texts: PreferencesTexts, preferences: PreferencesValue, channel: Channel, names: Names): Markup {
  const channelTexts = texts.channels[channel];
  const { topics, suppressionReason } = preferences.channels[channel];
  return html`
    <fieldset
      aria-describedby=${suppressionReason === null ? `${channel}-address` : `${channel}-address ${channel}-note`}
    >
      <legend><h2>${channelTexts.legend}</h2></legend>
      <p class="address" id=${`${channel}-address`}>
        <bdi>${channel === 'email' ? preferences.email : preferences.phone}</bdi>
      </p>
      ${
        suppressionReason !== null &&
        html`<div class="note">
          <p id=${`${channel}-note`}>${fill(channelTexts.reasons[suppressionReason], names)}</p>
          ${
            isUndoneByPreferences(suppressionReason) &&
            html`<button class="quiet" form=${`allow-${channel}`} name=${fields.action} value=${actions.allow(channel)}>
              ${channelTexts.allow}
            </button>`
          }
        </div>`
      }
      ${
        topics.length === 0
          ? html`<p class="muted">${channelTexts.noTopics}</p>`
          : html`<ul class="topics">
              ${topics.map((topic) => topicField(topic, channel))}
            </ul>`
      }
    </fieldset>
  `;
}

function topicField({ key, name, description, subscribed }: Topic, channel: Channel): Markup {
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

/** Buttons that unsubscribe from everything, per channel and together. */
export function unsubscribeSection(
  texts: PreferencesTexts,
  { channels }: PreferencesValue,
  on: readonly Channel[],
  names: Names,
): Markup {
  const open = on.filter((channel) => !channels[channel].unsubscribedAll);
  if (open.length === 0) return null;
  const all = { action: actions.unsubscribeAll, label: texts.unsubscribeAll.button };
  const perChannel = open.map((channel) => ({
    action: actions.unsubscribe(channel),
    label: texts.channels[channel].unsubscribe,
  }));
  const buttons = on.length === 1 ? [all] : [...perChannel, ...(open.length > 1 ? [all] : [])];
  return html`
    <section class="card apart" aria-labelledby="end">
      <h2 id="end">${texts.unsubscribeAll.heading}</h2>
      <p>${fill(texts.unsubscribeAll.text, names)}</p>
      <form class="acts" method="post">
        ${buttons.map(
          ({ action, label }) => html`<button class="quiet" name=${fields.action} value=${action}>${label}</button>`,
        )}
      </form>
    </section>
  `;
}
