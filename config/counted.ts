/**
 * A number with the noun that it counts, as texts for people state it: `1 row`, `2 rows`.
 * @param noun in the singular
 * @param plural of nouns that do not take an s, such as `tries`
 */
export const counted = (count: number | string, noun: string, plural = `${noun}s`): string =>
  `${count} ${String(count) === '1' ? noun : plural}`;
