/**
 * The locale to use of those that there are: the first wanted one that is there, each falling back to the tags that it narrows
 * (`de-Latn-AT` → `de-Latn` → `de`), else the default one.
 * @param wanted BCP 47 tags, most wanted first; null and undefined are skipped
 */
export function pickLocale(
  locales: readonly string[],
  wanted: readonly (string | null | undefined)[],
  defaultLocale: string,
): string {
  const byKey = new Map(locales.map((each) => [each.toLowerCase(), each]));
  for (const tag of wanted) {
    for (let key = tag?.toLowerCase() ?? ''; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('-')))) {
      const found = byKey.get(key);
      if (found !== undefined) return found;
    }
  }
  return byKey.get(defaultLocale.toLowerCase()) ?? locales[0] ?? defaultLocale;
}
