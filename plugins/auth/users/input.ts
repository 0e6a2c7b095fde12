import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';
import { filledText, text, url } from '#core/kernel/schema/schema.js';

/** The maximum length of a name and of an external id, in characters. */
export const maxNameLength = 200;

export const userName = filledText('The user’s name.', maxNameLength);
export const externalId = filledText('The user’s id in your own system, unique in the environment.', maxNameLength);
/** Pages display pictures, so an address that a browser would run is not allowed. */
export const pictureUrl = url('The URL of the user’s picture, http or https.', {
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
});
export const userLocale = text('The user’s language: a BCP 47 tag, such as de or pt-BR.', {
  minLength: 2,
  maxLength: 35,
});

/** Facts about a user as given in an input: an absent one does not change, null removes it. */
export interface UserFacts {
  name?: string | null | undefined;
  pictureUrl?: string | null | undefined;
  locale?: string | null | undefined;
  externalId?: string | null | undefined;
}

/** @throws invalid_input if normalizing made a text too long, or if it is not well-formed Unicode */
function normalText(field: string, given: string): string {
  // Lone surrogates all become U+FFFD in the database, so two different texts would become equal.
  if (/\p{Surrogate}/u.test(given)) throw invalidField(field, 'must be well-formed Unicode');
  const normal = given.normalize('NFC');
  if (normal.length > maxNameLength && Array.from(normal).length > maxNameLength)
    throw invalidField(field, `must be at most ${maxNameLength} characters long`);
  return normal;
}

function canonical(locale: string): string {
  const tag = canonicalLocale(locale);
  if (tag === null) throw invalidField('locale', 'must be a BCP 47 language tag such as de or pt-BR');
  return tag;
}

/**
 * The facts in their canonical form: NFC, and the canonical spelling of BCP 47.
 * @throws invalid_input naming the field
 */
export const normalizeFacts = ({ name, pictureUrl: picture, locale, externalId: external }: UserFacts): UserFacts => ({
  ...(name === undefined ? {} : { name: name === null ? null : normalText('name', name).trim() }),
  ...(picture === undefined ? {} : { pictureUrl: picture }),
  ...(locale === undefined ? {} : { locale: locale === null ? null : canonical(locale) }),
  ...(external === undefined ? {} : { externalId: external === null ? null : normalText('externalId', external) }),
});
