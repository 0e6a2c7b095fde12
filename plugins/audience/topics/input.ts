import { boolean, filledText, list, nullable, text } from '#core/kernel/schema/schema.js';
import { channel } from '../resources.js';

/* The fields of a topic that can change. Its key cannot: consents, templates and links refer to it. */

export const topicName = filledText('The name shown on the preferences page.', 120);
export const topicDescription = nullable(
  text('What subscribers receive; shown on the preferences page.', { maxLength: 500 }),
);
export const topicChannels = list(channel, 'The channels on which people can subscribe to it.', {
  minItems: 1,
  uniqueItems: true,
});
export const isPublic = boolean('Whether it is shown on the preferences page.');
