import { refusalOf } from '#core/kernel/errors/common.js';
import { boolean, map, object, optional, text, type ValueOf } from '#core/kernel/schema/schema.js';
import { channels, type Channel } from '../ports.js';

/** Any text: one that opens nothing is not found, whatever it looks like. */
export const preferencesToken = text('The token of a preferences link.');

const choices = object({
  topics: optional(
    map(boolean(), 'Topics by their keys: true subscribes, false unsubscribes.', {
      maxProperties: 1000,
      propertyNames: { type: 'string', minLength: 1, maxLength: 64 },
    }),
  ),
  unsubscribeAll: optional(boolean('true ends everything on the channel; false lets messages come again.')),
});

type Choices = ValueOf<typeof choices>;

export const choiceFields = { email: optional(choices), sms: optional(choices) } as const;

/** What a person wants on one channel. */
export interface Wanted {
  channel: Channel;
  topics: readonly (readonly [key: string, subscribed: boolean])[];
  unsubscribeAll: boolean | undefined;
}

const refused = (field: string, problem: string): Error =>
  refusalOf.invalid_input({ field, problem, details: { field } });

/**
 * What is wanted on each channel, of those that something is said about.
 * @throws invalid_input where nothing is said, and where a channel is wanted ended and subscribed to in one
 */
export function wantedOn(given: Readonly<Record<Channel, Choices | undefined>>): Wanted[] {
  const wanted = channels
    .map((channel) => {
      const { topics = {}, unsubscribeAll } = given[channel] ?? {};
      return { channel, topics: Object.entries(topics), unsubscribeAll };
    })
    .filter(({ topics, unsubscribeAll }) => topics.length > 0 || unsubscribeAll !== undefined);
  if (wanted.length === 0) throw refused('email', 'is missing: say something about email or sms');
  for (const { channel, topics, unsubscribeAll } of wanted) {
    const [subscribed] = unsubscribeAll === true ? topics.filter(([, wish]) => wish) : [];
    if (subscribed)
      throw refused(
        `${channel}.topics.${subscribed[0]}`,
        'cannot be subscribed to while unsubscribeAll is true: send one of the two',
      );
  }
  return wanted;
}
