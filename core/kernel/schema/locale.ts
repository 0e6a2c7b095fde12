const longestLocale = 35;

/** Normalizes a BCP 47 tag (`de-de` becomes `de-DE`). @returns null if it is invalid or longer than 35 characters */
export function canonicalLocale(tag: string): string | null {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag);
    return canonical.length <= longestLocale ? canonical : null;
  } catch {
    // RangeError: not a valid BCP 47 tag.
    return null;
  }
}
