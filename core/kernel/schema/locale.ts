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

const known = new Map<string, boolean>();

/** Whether this is an IANA time zone name. Offsets such as +01:00, which Intl also accepts, are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  const before = known.get(name);
  if (before !== undefined) return before;
  const answer = intlKnows(name);
  // Cached, since creating a formatter takes 50 µs and imports check every row. There are about 600 names, in any letter case.
  if (answer && known.size < 2_000) known.set(name, answer);
  return answer;
}

function intlKnows(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    // RangeError: unknown time zone.
    return false;
  }
}
