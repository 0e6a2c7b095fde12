import type { Language } from '#core/kernel/language.js';
import type { Keyword } from '../tables/inbound.js';
import { aroundStop, builtInWords, signatures, startAfterStop, wishesToStop } from './words.js';

export interface KeywordMatch {
  readonly keyword: Keyword;
  /** The languages of the word; empty if it does not indicate one. */
  readonly locales: readonly Language[];
  /** It counts only if the sender has said STOP before. */
  readonly onlyAfterStop: boolean;
}

/** The words that an environment has added, by keyword. */
export type OwnWords = Readonly<Record<Keyword, readonly string[]>>;

/** STOP comes first: a word that is in STOP's list and in another one must always end texts. */
const order = ['stop', 'start', 'help'] as const satisfies readonly Keyword[];

/** Longer lines are not keywords: this is what fits into one text. */
const longest = 160;

/** Lines that are checked for STOP: one or two greetings may precede it, and everything after it is a signature. */
const mostLines = 4;

/** The number of characters in which lines are checked. A received text has up to 16,000. */
const mostRead = 1_000;

/**
 * A text in the form in which keywords are compared: capitals without accents, apostrophes and invisible characters,
 * with a single space for anything else that separates letters and digits. `“Arrêt.”` and `ARRET` are the same keyword;
 * so are `Opt‐out`, `opt_out` and `opt.out`.
 */
export const normalizedKeyword = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’‘`´]/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * The keyword that a received text contains. A text counts only if it contains nothing else: “Please stop by at five”
 * ends nothing. STOP is accepted in the forms that people write (47 CFR 64.1200(a)(10) requires any reasonable means):
 * several times, with polite words around it, and above or before a signature. START and HELP are not: nobody
 * subscribes in passing. The running time grows with the length of the text, only up to 1,000 characters.
 * @returns null for a text that is not a keyword
 */
export function matchKeyword(text: string, own: OwnWords): KeywordMatch | null {
  const stop = stopIn(text, own);
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

/** What a line contains: STOP, with the languages of its first word for it; only courtesies; or something else. */
type Line = { readonly kind: 'stop'; readonly locales: readonly Language[] } | { readonly kind: 'courtesy' | 'other' };

/** The languages of the first word for STOP in a text that means STOP and nothing weaker; null for another text. */
function stopIn(text: string, own: OwnWords): readonly Language[] | null {
  const ownWords = new Set(own.stop.map((word) => wordsOf(word).join(' ')));
  // A phrase may be split across lines.
  const whole = readLine(text, ownWords);
  if (whole.kind === 'stop') return whole.locales;
  const lines = text.slice(0, mostRead).split(/[\r\n\u2028\u2029]+/);
  for (const line of lines.filter((each) => each.trim() !== '').slice(0, mostLines)) {
    const said = readLine(line, ownWords);
    if (said.kind === 'stop') return said.locales;
    if (said.kind === 'other') return null;
  }
  return null;
}

function readLine(line: string, ownWords: ReadonlySet<string>): Line {
  if (line.length > longest) return { kind: 'other' };
  const words = wordsOf(withoutSignature(line));
  const localesOf = (phrase: string): readonly Language[] | undefined => {
    const builtIn = builtInWords.get(phrase);
    if (builtIn?.keyword === 'stop') return builtIn.locales;
    return ownWords.has(phrase) ? [] : wishesToStop.get(phrase);
  };
  const longestPhrase = Math.max(mostWords, ...[...ownWords].map((phrase) => phrase.split(' ').length));
  let locales: readonly Language[] | null = null;
  for (let at = 0; at < words.length;) {
    let length = Math.min(longestPhrase, words.length - at);
    const phrase = (): string => words.slice(at, at + length).join(' ');
    while (length > 0 && localesOf(phrase()) === undefined && !aroundStop.has(phrase())) length -= 1;
    if (length === 0) return { kind: 'other' };
    locales ??= localesOf(phrase()) ?? null;
    at += length;
  }
  return locales === null ? { kind: 'courtesy' } : { kind: 'stop', locales };
}

/** The most words that a built-in phrase has. */
const mostWords = Math.max(
  ...[...builtInWords.keys(), ...wishesToStop.keys(), ...aroundStop].map((phrase) => phrase.split(' ').length),
);

/**
 * The words of a line. Words that are spaced out (“S T O P”), stretched (“stoppp”) or run together (“stopstop”) are
 * normalised.
 */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let letters: string[] = [];
  const endLetters = (): void => {
    if (letters.length > 2) words.push(letters.join(''));
    else words.push(...letters);
    letters = [];
  };
  for (const word of normalizedKeyword(line).split(' ')) {
    if (/^\p{L}$/u.test(word)) letters.push(word);
    else {
      endLetters();
      if (word !== '') words.push(word);
    }
  }
  endLetters();
  return words.map((word) => {
    const meant = word.replace(/(\p{L})\1{2,}/gu, '$1');
    return meant.replaceAll('STOP', '') === '' ? 'STOP' : meant;
  });
}

/** A line without the signature that a phone has added to it. */
function withoutSignature(line: string): string {
  const said = ` ${normalizedKeyword(line)} `;
  const starts = signatures.map((signature) => said.indexOf(` ${signature} `)).filter((at) => at > 0);
  return starts.length === 0 ? line : said.slice(0, Math.min(...starts));
}
