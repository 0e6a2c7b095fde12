import { filledText, map, object, text } from '#core/kernel/schema/schema.js';

/**
 * The text of one locale as input: as long as the body of sms.send, so that the longest text of ten segments fits with
 * its tags.
 */
export const bodyInput = object({ body: filledText('The text, in Liquid.', 1_600) });

/** Texts by locale in replies. */
export const SmsTemplateContent = map(
  object({ body: text('The text, in Liquid.') }),
  'The content by locale, as it was saved.',
);
