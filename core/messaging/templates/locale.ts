import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';

/**
 * Selects one of the available locales: the first wanted one that is available; each falls back to its broader
 * tags (`de-Latn-AT` → `de-Latn` → `de`), otherwise the default.
 * @param wanted BCP 47 tags, most wanted first; null and undefined are skipped
 */
export function pickLocale(
  locales: readonly string[],
  wanted: readonly (string | null | undefined)[],
  defaultLocale: string,
): string {
  const byKey = new Map(locales.map((each) => [each.toLowerCase(), each]));
  for (const tag of wanted) {
    for (
      let key = tag?.toLowerCase().replaceAll('_', '-') ?? '';
      key !== '';
      key = key.slice(0, Math.max(0, key.lastIndexOf('-')))
    ) {
      const found = byKey.get(key);
      if (found !== undefined) return found;
    }
  }
  return byKey.get(defaultLocale.toLowerCase()) ?? locales[0] ?? defaultLocale;
}

/** The locale that a call names, in its canonical form. @throws invalid_input */
export function readLocale(given: string | undefined, field = 'locale'): string | undefined {
  const locale = given === undefined ? undefined : canonicalLocale(given);
  if (locale === null) throw invalidField(field, 'must be a BCP 47 tag such as de or de-AT');
  return locale;
}
