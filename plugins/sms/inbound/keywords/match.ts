import type { Keyword } from '../../tables/inbound.js';
import { builtInWords, startAfterStop, type ReplyLocale } from './words.js';

export interface KeywordMatch {
  readonly keyword: Keyword;
  /** The languages that the word is of; empty where it does not tell. */
  readonly locales: readonly ReplyLocale[];
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
 * A text as keywords are compared: capitals without accents; without quotation marks, full stops, emoji and invisible characters around it;
 * single spaces. `“Arrêt.”` and `ARRET` are one keyword.
 */
export const normalizedKeyword = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toUpperCase()
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/\s+/gu, ' ');

/**
 * The keyword that a received text is. Only a text that says nothing else counts: “Please stop by at five” ends nothing.
 * @returns null for a text that is none
 */
export function matchKeyword(text: string, own: OwnWords): KeywordMatch | null {
  if (text.length > longest) return null;
  const said = normalizedKeyword(text);
  if (said === '') return null;
  const builtIn = builtInWords.get(said);
  const keyword = order.find(
    (each) => builtIn?.keyword === each || own[each].some((word) => normalizedKeyword(word) === said),
  );
  if (keyword !== undefined) return { keyword, locales: builtIn?.locales ?? [], onlyAfterStop: false };
  const locales = startAfterStop.get(said);
  return locales === undefined ? null : { keyword: 'start', locales, onlyAfterStop: true };
}
