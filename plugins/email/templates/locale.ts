import { canonicalLocale } from '#core/kernel/schema/locale.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';

/** The locale that a call names, in its canonical form. @throws invalid_input */
export function readLocale(given: string | undefined, field = 'locale'): string | undefined {
  const locale = given === undefined ? undefined : canonicalLocale(given);
  if (locale === null) throw invalidField(field, 'must be a BCP 47 tag such as de or de-AT');
  return locale;
}
