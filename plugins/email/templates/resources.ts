import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { filledText, map, nullable, object, optional, text, type ValueOf } from '#core/kernel/schema/schema.js';
import type { TemplateSource } from '../tables/template.js';

/** The most characters of one text. */
const maxBody = 262_144;

const texts = {
  subject: filledText('Liquid, like the other fields.', 998),
  html: filledText(
    'The mail as HTML, including CSS in style elements. It is placed in the theme’s layout unless it has its own html element.',
    maxBody,
  ),
  text: filledText('The mail as plain text. Generated from the HTML if left out.', maxBody),
  preheader: filledText('The preview text that mail clients show beside the subject.', 300),
};

/**
 * The texts of one locale as input. Null means the same as absent, so that the output of email.template.get can be
 * saved unchanged.
 */
export const sourceInput = object({
  subject: texts.subject,
  html: optional(nullable(texts.html)),
  text: optional(nullable(texts.text)),
  preheader: optional(nullable(texts.preheader)),
});

export type GivenSource = ValueOf<typeof sourceInput>;

/** Inline content of a preview, as email.send takes it. */
export const inlineContent = object(
  { subject: texts.subject, html: optional(nullable(texts.html)), text: optional(nullable(texts.text)) },
  { description: 'Content as in email.send: without the layout, and without inlined CSS.' },
);

/** Texts by locale in replies. */
export const TemplateContent = map(
  object({
    subject: text('Liquid, like the other fields.'),
    html: nullable(text('The mail as HTML.')),
    text: nullable(text('The mail as plain text; null if it is generated from the HTML.')),
    preheader: nullable(text('The preview text that mail clients show beside the subject.')),
  }),
  'The content by locale, as it was saved.',
);

/**
 * A content with absent texts as null.
 * @param field its path in the request
 * @throws invalid_input if there is neither HTML nor text
 */
export function readSource(given: GivenSource, field: string): TemplateSource {
  const { subject, html = null, text: plain = null, preheader = null } = given;
  if (html === null && plain === null) throw invalidField(field, 'must have html, text or both');
  return { subject, html, text: plain, preheader };
}
