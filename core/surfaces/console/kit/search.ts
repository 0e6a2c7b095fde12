import type { OperationName } from '../../sdk/operations.gen.js';
import type { IconName } from './icon.js';
import { readNames, readOnce } from './read.js';
import type { Found, SearchSource } from './screen.js';
import type { Row } from './state.js';
import { rowsAt } from './value.js';

/* Finding things by name, for the palette. */

const most = 6;

/** Small letters without accents: “Zoë” is found by “zoe”. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const wordsOf = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Whether all words of the query begin a word of the text. */
export function matchesWords(query: string, text: string): boolean {
  const words = wordsOf(text);
  const wanted = wordsOf(query);
  return wanted.length > 0 && wanted.every((part) => words.some((word) => word.startsWith(part)));
}

/** How well a name fits: 0 begins with the query, 1 has its words, 2 contains it; undefined if it does not fit. */
export function fitOf(query: string, name: string): number | undefined {
  const [wanted, known] = [plain(query).trim(), plain(name)];
  if (wanted === '') return undefined;
  if (known.startsWith(wanted)) return 0;
  if (matchesWords(query, name)) return 1;
  return wanted.length > 2 && known.includes(wanted) ? 2 : undefined;
}

interface Named {
  /** The list. */
  readonly needs: OperationName;
  readonly input?: Row;
  /** The field of its reply that holds the rows. */
  readonly rows: string;
  /** The heading. */
  readonly group: string;
  readonly icon: IconName;
  readonly title: (row: Row) => string;
  /** Other words that it is found by. */
  readonly words?: (row: Row) => string;
  readonly beside?: (row: Row) => string;
  readonly after?: (row: Row) => string;
  readonly href: (row: Row) => string;
}

/** Finds the rows of a list by name. The list is read once and kept, so that typing asks the server nothing. */
export const namedIn = ({ needs, input = {}, rows, group, icon, title, words, ...shown }: Named): SearchSource => ({
  needs,
  async find(text) {
    const fits = (await readNames(needs, input, rows)).flatMap((row) => {
      const fit = fitOf(text, title(row)) ?? (words && fitOf(text, words(row)) !== undefined ? 2 : undefined);
      return fit === undefined ? [] : [{ row, fit }];
    });
    return fits
      .sort((a, b) => a.fit - b.fit)
      .slice(0, most)
      .map(({ row }) => ({
        group,
        icon,
        title: title(row),
        beside: shown.beside?.(row) ?? '',
        after: shown.after?.(row) ?? '',
        href: shown.href(row),
      }));
  },
});

interface Asked {
  /** The list. */
  readonly needs: OperationName;
  /** What the server is asked; undefined if the list cannot have such a text. */
  readonly input: (text: string) => Row | undefined;
  /** The field of its reply that holds the rows. */
  readonly rows: string;
  readonly found: (row: Row, text: string) => Found;
}

/** Finds the rows of a list that is too long to keep: the server searches it. */
export const askedIn = ({ needs, input, rows, found }: Asked): SearchSource => ({
  needs,
  async find(text) {
    const asked = input(text);
    if (!asked) return [];
    const list: string = needs;
    const reply = await readOnce(list, { ...asked, limit: most });
    return rowsAt(reply, rows).map((row) => found(row, text));
  },
});
