const longestLocale = 35;

/** The BCP 47 tag in its canonical spelling (de-de: de-DE), or null where it is none, or longer than 35 characters. */
export function canonicalLocale(tag: string): string | null {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag);
    return canonical.length <= longestLocale ? canonical : null;
  } catch {
    // RangeError: no tag by BCP 47's grammar.
    return null;
  }
}

const known = new Map<string, boolean>();

/** Is this the name of an IANA time zone? Offsets such as +01:00, which Intl takes as well, are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  const before = known.get(name);
  if (before !== undefined) return before;
  const answer = intlKnows(name);
  // A formatter costs 50 µs, and an import asks for each row. There are some 600 names, in any spelling of their case.
  if (answer && known.size < 2_000) known.set(name, answer);
  return answer;
}

function intlKnows(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    // RangeError: no such zone.
    return false;
  }
}
