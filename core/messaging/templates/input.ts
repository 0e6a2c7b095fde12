import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';
import { namePattern } from '#core/kernel/schema/patterns.js';
import { page } from '#core/kernel/schema/paging.js';
import {
  boolean,
  dateTime,
  ifUnchangedSince,
  integer,
  list,
  nullable,
  object,
  optional,
  text,
} from '#core/kernel/schema/schema.js';

/* Fields in the input and replies of the template operations of all channels. */

export const templateName = text(
  'The template’s name, such as order.shipped. The name of a deleted template can be used again.',
  {
    pattern: namePattern,
  },
);

/** The input of lists of templates. */
export const templateFilter = {
  system: optional(boolean('true: only system templates; false: only the project’s own.')),
  ...page,
};

/** The name of a template that is there already. */
export const templateKey = text('The template’s name.', { minLength: 1, maxLength: 100 });

export const localeTag = text('BCP 47, such as de-AT.', { minLength: 2, maxLength: 35 });

/** The input of sms.template.draft.save and email.template.draft.save, in addition to the texts. */
export const draftFields = {
  defaultLocale: optional({
    ...localeTag,
    description: 'The locale for recipients whose language is missing. Defaults to en, or to the first locale given.',
  }),
  description: optional(nullable(text('What it is for.', { maxLength: 500 }))),
  ifUnchangedSince,
};

export const variableNames = list(text(), 'What the content uses, such as order.number.');

export const shownVersion = optional(
  integer('Return this version as `published`.', { minimum: 1, maximum: 2_147_483_647 }),
);

export const versionList = list(
  object({
    version: integer('Starts at 1.'),
    publishedAt: dateTime('When it was published.'),
    publishedBy: text('The name of a key, or the address of a member.'),
  }),
  'The newest 100, newest first.',
);

/**
 * The given texts by canonical locale.
 * @param read makes a content from the caller's input; `field` names it in refusals
 * @throws invalid_input naming the locale
 */
export function readLocales<Given, Source>(
  given: Readonly<Record<string, Given | null>>,
  read: (texts: Given, field: string) => Source,
): Record<string, Source | null> {
  const found: Record<string, Source | null> = {};
  for (const [tag, texts] of Object.entries(given)) {
    const field = `locales.${tag.slice(0, 40)}`;
    const locale = canonicalLocale(tag);
    if (locale === null) throw invalidField(field, 'must be a BCP 47 tag such as de or de-AT');
    if (locale in found) throw invalidField(field, 'is given twice');
    found[locale] = texts && read(texts, field);
  }
  return found;
}
