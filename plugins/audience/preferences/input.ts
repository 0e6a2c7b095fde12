import { invalidField, invalidFields, nothingToChange } from '#core/kernel/errors/invalid-field.js';
import { perIp, type NamedLimit } from '#core/kernel/limits/named-limit.js';
import { boolean, map, object, optional, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { channels } from '../channels.js';
import type { Channel } from '../ports.js';

/** The limit that reading and changing preferences share (docs/interface.md, Limits 5). */
export const preferencesLimit = (description: string): NamedLimit =>
  perIp({ name: 'audience.preferences', max: 60, windowSeconds: 600, description });

/** Any text: an invalid token is not found, regardless of its form. */
export const preferencesToken = text('The token of a preferences link.');

const channelChanges = object({
  topics: optional(
    map(boolean(), 'Topics by their keys: true subscribes, false unsubscribes.', {
      maxProperties: 1000,
      propertyNames: { type: 'string', minLength: 1, maxLength: 64 },
    }),
  ),
  unsubscribeAll: optional(
    boolean(
      'true unsubscribes from every topic of the channel, now and in the future; messages without a topic, such as receipts, are still sent. false undoes that, without subscribing to anything.',
    ),
  ),
});

type ChannelInput = ValueOf<typeof channelChanges>;

export const changeFields = {
  email: optional({ ...channelChanges, description: 'What to change for email.' }),
  sms: optional({ ...channelChanges, description: 'What to change for text messages.' }),
} as const;

/** What a person wants to change on one channel. */
export interface ChannelChanges {
  channel: Channel;
  topics: readonly (readonly [key: string, subscribe: boolean])[];
  unsubscribeAll: boolean | undefined;
}

/**
 * The changes of a call, for each channel that it names.
 * @throws invalid_input for a call without changes, and for one that unsubscribes from a channel and subscribes to one
 * of its topics
 */
export function channelChangesOf(input: Readonly<Record<Channel, ChannelInput | undefined>>): ChannelChanges[] {
  const changes = channels
    .map((channel) => {
      const { topics = {}, unsubscribeAll } = input[channel] ?? {};
      return { channel, topics: Object.entries(topics), unsubscribeAll };
    })
    .filter(({ topics, unsubscribeAll }) => topics.length > 0 || unsubscribeAll !== undefined);
  if (changes.length === 0) throw invalidFields([nothingToChange('send at least one change for email or sms')]);
  for (const { channel, topics, unsubscribeAll } of changes) {
    const [subscribed] = unsubscribeAll === true ? topics.filter(([, subscribe]) => subscribe) : [];
    if (subscribed)
      throw invalidField(
        `${channel}.topics.${subscribed[0]}`,
        'cannot be subscribed to while unsubscribeAll is true: send only one of the two',
      );
  }
  return changes;
}
