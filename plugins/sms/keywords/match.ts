import type { Language } from '#core/kernel/language.js';
import type { Keyword } from '../tables/inbound.js';
import { normalizedKeyword, wordsOf } from './normalize.js';
import { builtInKeywords, signatures } from './words.js';

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
 * The keyword that a received text contains. A text counts only if it contains nothing else: “Please stop by at five”
 * ends nothing. STOP is accepted in the forms that people write (47 CFR 64.1200(a)(10) requires any reasonable means):
 * several times, with polite words around it, and above or before a signature. START is only from a person who has
 * said STOP, and HELP is not: nobody subscribes in passing. The running time grows with the length of the text, only
 * up to 1,000 characters.
 * @returns null for a text that is not a keyword
 */
export function matchKeyword(text: string, own: OwnWords): KeywordMatch | null {
  const stop = stopIn(text, own);
  if (stop !== null) return { keyword: 'stop', locales: stop, onlyAfterStop: false };
  const said = text.length > longest ? '' : normalizedKeyword(text);
  const builtIn = builtInKeywords().words.get(said);
  const keyword = order.find(
    (each) => builtIn?.keyword === each || (said !== '' && own[each].some((word) => normalizedKeyword(word) === said)),
  );
  if (keyword !== undefined) return { keyword, locales: builtIn?.locales ?? [], onlyAfterStop: false };
  const again = phraseIn(text, startVocabulary(own));
  return again === null ? null : { keyword: 'start', locales: again, onlyAfterStop: true };
}

/** What lines are compared with. */
interface Vocabulary {
  /** The languages of a phrase that says it; undefined for another phrase. */
  readonly localesOf: (phrase: string) => readonly Language[] | undefined;
  /** What may be around it. */
  readonly around: ReadonlySet<string>;
  /** The most words of a phrase. */
  readonly mostWords: number;
}

function stopIn(text: string, own: OwnWords): readonly Language[] | null {
  const { saysStop, aroundStop } = builtInKeywords();
  return phraseIn(text, vocabularyOf(saysStop, own.stop, aroundStop));
}

function startVocabulary(own: OwnWords): Vocabulary {
  const { saysStartAfterStop, aroundStart } = builtInKeywords();
  return vocabularyOf(saysStartAfterStop, own.start, aroundStart);
}

function vocabularyOf(
  phrases: ReadonlyMap<string, readonly Language[]>,
  own: readonly string[],
  around: ReadonlySet<string>,
): Vocabulary {
  const { meantWord, mostWords } = builtInKeywords();
  const ownPhrases = new Set(own.map((word) => wordsOf(word).map(meantWord).join(' ')));
  return {
    localesOf: (phrase) => phrases.get(phrase) ?? (ownPhrases.has(phrase) ? [] : undefined),
    around,
    mostWords: Math.max(mostWords, ...[...ownPhrases].map((phrase) => phrase.split(' ').length)),
  };
}

/** The phrase, with the languages of the first one; only courtesies; or something else. */
type Line = { readonly kind: 'phrase'; readonly locales: readonly Language[] } | { readonly kind: 'around' | 'other' };

/** The languages of the first phrase in a text that means it and nothing weaker; null for another text. */
function phraseIn(text: string, vocabulary: Vocabulary): readonly Language[] | null {
  // A phrase may be split across lines.
  const whole = readLine(text, vocabulary);
  if (whole.kind === 'phrase') return whole.locales;
  const lines = text.slice(0, mostRead).split(/[\r\n\u2028\u2029]+/);
  for (const line of lines.filter((each) => each.trim() !== '').slice(0, mostLines)) {
    const said = readLine(line, vocabulary);
    if (said.kind === 'phrase') return said.locales;
    if (said.kind === 'other') return null;
  }
  return null;
}

function readLine(line: string, { localesOf, around, mostWords: most }: Vocabulary): Line {
  if (line.length > longest) return { kind: 'other' };
  const words = wordsOf(withoutSignature(line)).map(builtInKeywords().meantWord);
  let locales: readonly Language[] | null = null;
  for (let at = 0; at < words.length;) {
    let length = Math.min(most, words.length - at);
    const phrase = (): string => words.slice(at, at + length).join(' ');
    while (length > 0 && localesOf(phrase()) === undefined && !around.has(phrase())) length -= 1;
    if (length === 0) return { kind: 'other' };
    locales ??= localesOf(phrase()) ?? null;
    at += length;
  }
  return locales === null ? { kind: 'around' } : { kind: 'phrase', locales };
}

/** A line without the signature that a phone has added to it. */
function withoutSignature(line: string): string {
  const said = ` ${normalizedKeyword(line)} `;
  const starts = signatures.map((signature) => said.indexOf(` ${signature} `)).filter((at) => at > 0);
  return starts.length === 0 ? line : said.slice(0, Math.min(...starts));
}
