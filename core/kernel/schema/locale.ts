const longestLocale = 35;

/**
 * Languages have codes of two or three letters. The form of a tag allows up to eight, as in `german`, but no language
 * has such a code (RFC 5646 §2.2.1).
 */
const hasLanguageCode = (tag: string): boolean => /^[a-z]{2,3}(?:-|$)/i.test(tag);

/** Normalizes a BCP 47 tag (`de-de` becomes `de-DE`). @returns null if it is invalid or longer than 35 characters */
export function canonicalLocale(tag: string): string | null {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag);
    return hasLanguageCode(canonical) && canonical.length <= longestLocale ? canonical : null;
  } catch {
    // RangeError: not a valid BCP 47 tag.
    return null;
  }
}
