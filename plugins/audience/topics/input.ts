import { boolean, list, notBlank, nullable, text } from '#core/kernel/schema/schema.js';
import { channel } from '../resources.js';

/** What of a topic may change. Its key may not: consents, templates and links name it. */
export const topicName = text('What people read on the preferences page.', {
  minLength: 1,
  maxLength: 120,
  pattern: notBlank,
});
export const topicDescription = nullable(text('What people get who subscribe.', { maxLength: 500 }));
export const topicChannels = list(channel, 'On which channels people can subscribe to it.', {
  minItems: 1,
  uniqueItems: true,
});
export const isPublic = boolean('Shown on the preferences page.');
