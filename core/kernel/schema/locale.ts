const longestLocale = 35;

/**
 * Languages have codes of two or three letters. The form of a tag allows up to eight, as in `german`, but no language
 * has such a code (RFC 5646 §2.2.1).
 */
const hasLanguageCode = (tag: string): boolean => /^[a-z]{2,3}(?:-|$)/i.test(tag);

/** A locale of POSIX systems, such as `de_DE.UTF-8` and `sr_RS@latin` (POSIX.1-2024 §8.2). */
const posix = /^([a-z]{2,3})(?:_([a-z\d]{2,8}(?:_[a-z\d]{2,8})*))?(?:\.[a-z\d-]{1,20})?(?:@([a-z\d]{1,20}))?$/i;
const scripts: ReadonlyMap<string, string> = new Map([
  ['latin', 'Latn'],
  ['cyrillic', 'Cyrl'],
  ['devanagari', 'Deva'],
]);

/**
 * The BCP 47 form of a tag that systems write with underscores: `de_DE`, `zh_Hant_TW`, `de_DE.UTF-8`, `sr_RS@latin`. An
 * ordinary tag stays unchanged.
 */
function withHyphens(tag: string): string {
  const [found, language = '', rest = '', modifier = ''] = tag.length <= 60 ? (posix.exec(tag) ?? []) : [];
  if (found === undefined) return tag.replaceAll('_', '-');
  const parts = [language, scripts.get(modifier.toLowerCase()) ?? '', ...rest.split('_')];
  return parts.filter((part) => part !== '').join('-');
}

/**
 * Normalizes a BCP 47 tag (`de-de` becomes `de-DE`), also one with underscores (`de_DE`).
 * @returns null if it is invalid or longer than 35 characters
 */
export function canonicalLocale(tag: string): string | null {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(withHyphens(tag.trim()));
    return hasLanguageCode(canonical) && canonical.length <= longestLocale ? canonical : null;
  } catch {
    // RangeError: not a valid BCP 47 tag.
    return null;
  }
}
