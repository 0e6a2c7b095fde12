import { filledText, map, object, text, type ValueOf } from '#core/kernel/schema/schema.js';
import type { TemplateBody } from '../tables/template.js';

/** The text of one locale as input: as long as the body of sms.send, so that the longest text of ten segments fits with its tags. */
export const bodyInput = object({ body: filledText('The text, in Liquid.', 1_600) });

/** Texts by locale in replies. */
export const SmsTemplateContent = map(
  object({ body: text('The text, in Liquid.') }),
  'The texts by locale, as they were saved.',
);

/** Contents by locale, as replies hold them. */
export const presentContents = (
  rows: readonly { locale: string; source: TemplateBody }[],
): ValueOf<typeof SmsTemplateContent> =>
  Object.fromEntries(rows.map(({ locale, source }) => [locale, { body: source.body }]));
