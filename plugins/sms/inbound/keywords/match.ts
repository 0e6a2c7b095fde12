import type { Language } from '#core/kernel/language.js';
import type { Keyword } from '../../tables/inbound.js';
import { aroundStop, builtInWords, startAfterStop } from './words.js';

export interface KeywordMatch {
  readonly keyword: Keyword;
  /** The languages that the word is of; empty where it does not tell. */
  readonly locales: readonly Language[];
  /** It counts only where the sender has said STOP before. */
  readonly onlyAfterStop: boolean;
}

/** The words that an environment has added, by keyword. */
export type OwnWords = Readonly<Record<Keyword, readonly string[]>>;

/** STOP comes first: a word in two lists must never be taken for less than what ends texts. */
const order = ['stop', 'start', 'help'] as const satisfies readonly Keyword[];

/** Longer texts are no keywords: reading them as one would cost time for nothing. */
const longest = 100;

/**
 * A text as keywords are compared: capitals without accents, apostrophes and invisible characters, and a single space
 * for whatever else separates letters and digits. `“Arrêt.”` and `ARRET` are one keyword; so are `Opt‐out`, `opt_out`
 * and `opt.out`.
 */
export const normalizedKeyword = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’‘`´]/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * The keyword that a received text is. Only a text that says nothing else counts: “Please stop by at five” ends
 * nothing. STOP is taken as people write it (47 CFR 64.1200(a)(10) asks for any reasonable means): several times,
 * with polite words around it, and on the first line of a longer text, which a phone may have signed. START and HELP
 * are not: nobody subscribes by the way.
 * @returns null for a text that is none
 */
export function matchKeyword(text: string, own: OwnWords): KeywordMatch | null {
  const firstLine = text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  const stop = stopIn(text, own) ?? stopIn(firstLine, own);
  if (stop !== null) return { keyword: 'stop', locales: stop, onlyAfterStop: false };
  const said = text.length > longest ? '' : normalizedKeyword(text);
  if (said === '') return null;
  const builtIn = builtInWords.get(said);
  const keyword = order.find(
    (each) => builtIn?.keyword === each || own[each].some((word) => normalizedKeyword(word) === said),
  );
  if (keyword !== undefined) return { keyword, locales: builtIn?.locales ?? [], onlyAfterStop: false };
  const locales = startAfterStop.get(said);
  return locales === undefined ? null : { keyword: 'start', locales, onlyAfterStop: true };
}

/**
 * The languages of the first word for STOP in a text that has nothing else but such words and courtesies; null for
 * another text.
 */
function stopIn(text: string, own: OwnWords): readonly Language[] | null {
  if (text.length > longest) return null;
  const said = normalizedKeyword(text);
  // “S T O P”: a word that was spaced out.
  const words = (/^\p{L}( \p{L})+$/u.test(said) ? said.replaceAll(' ', '') : said).split(' ');
  const ownWords = new Set(own.stop.map(normalizedKeyword));
  const localesOf = (word: string): readonly Language[] | undefined => {
    const builtIn = builtInWords.get(word);
    return builtIn?.keyword === 'stop' ? builtIn.locales : ownWords.has(word) ? [] : undefined;
  };
  let found: readonly Language[] | null = null;
  for (let at = 0; at < words.length;) {
    const length = [...words.keys()]
      .map((index) => words.length - index)
      .find((size) => at + size <= words.length && localesOf(words.slice(at, at + size).join(' ')) !== undefined);
    if (length !== undefined) found ??= localesOf(words.slice(at, at + length).join(' ')) ?? [];
    else if (!aroundStop.has(words[at] ?? '')) return null;
    at += length ?? 1;
  }
  return found;
}
