import type { Language } from '#core/kernel/language.js';
import { keywords, type Keyword } from '../tables/inbound.js';
import { normalizedKeyword } from './normalize.js';
import { phrasesOf } from './patterns.js';
import { german } from './phrases/german.js';
import { english } from './phrases/english.js';
import { spanish } from './phrases/spanish.js';
import { french } from './phrases/french.js';
import { otherLanguages } from './phrases/others.js';
import type { KeywordPhrases } from './phrases/phrases.js';
import { portuguese } from './phrases/portuguese.js';

interface Word {
  readonly keyword: Keyword;
  /** The languages of the word; empty for words that people use in all languages. */
  readonly locales: readonly Language[];
}

/** Phrases with their languages, in the form in which keywords are compared. */
type Phrases = ReadonlyMap<string, readonly Language[]>;

/**
 * The words of all languages count everywhere: a person who writes STOPP means it, whatever language the texts were in.
 */
const all: readonly KeywordPhrases[] = [english, german, french, spanish, portuguese, ...otherLanguages];

const listed = (words: string): string[] => (words === '' ? [] : words.split(', '));

/** The built-in words and phrases, in the form in which keywords are compared. */
export interface BuiltInKeywords {
  /** The words, without accents and in capitals. */
  readonly words: ReadonlyMap<string, Word>;
  /** Everything that can only mean STOP: the words, and sentences. */
  readonly saysStop: Phrases;
  /** What may be around STOP. */
  readonly aroundStop: ReadonlySet<string>;
  /**
   * What means START from a person who has said STOP, and may be an ordinary answer otherwise: the words for START with
   * courtesies, sentences, and yes.
   */
  readonly saysStartAfterStop: Phrases;
  /** What may be around START from a person who has said STOP. */
  readonly aroundStart: ReadonlySet<string>;
  /** The most words that a phrase has. */
  readonly mostWords: number;
  /**
   * The word that a word stands for in phrases: SMS for texts, and a long word for STOP if one letter of it is missing,
   * added, wrong or swapped with the next.
   */
  readonly meantWord: (word: string) => string;
}

let made: BuiltInKeywords | undefined;

/** They are made when they are first needed: the 20,000 phrases would take a tenth of the processor time of a start. */
export const builtInKeywords = (): BuiltInKeywords => (made ??= makeBuiltInKeywords());

function makeBuiltInKeywords(): BuiltInKeywords {
  const wordsForTexts = new Set(all.flatMap(({ texts }) => listed(texts)).flatMap(phrasesOf));
  /** A phrase with one word for all that may be meant by it: SMS for texts. */
  const withoutSynonyms = (phrase: string): string =>
    phrase
      .split(' ')
      .map((word) => (wordsForTexts.has(word) ? 'SMS' : word))
      .join(' ');
  const meaning = (listOf: (of: KeywordPhrases) => readonly string[]): Phrases =>
    new Map([...phrasesWithLocales(listOf)].map(([phrase, locales]) => [withoutSynonyms(phrase), locales]));

  const words = wordsWithMeanings();
  const wordsFor = (keyword: Keyword): [string, readonly Language[]][] =>
    [...words].flatMap(([word, of]) => (of.keyword === keyword ? [[withoutSynonyms(word), of.locales]] : []));
  const saysStop: Phrases = new Map([
    ...meaning(({ wishes }) => wishes),
    ...english.wishes
      .flatMap(phrasesOf)
      .map(withoutSynonyms)
      .map((phrase): [string, readonly Language[]] => [phrase, ['en']]),
    ...wordsFor('stop'),
  ]);
  const aroundStop = new Set(meaning(({ around }) => around).keys());
  const saysStartAfterStop: Phrases = new Map([
    ...meaning(({ again }) => again),
    ...meaning(({ yes }) => yes),
    ...wordsFor('start'),
  ]);
  const aroundStart = new Set(meaning(({ please }) => please).keys());

  const phrases = [...saysStop.keys(), ...saysStartAfterStop.keys(), ...aroundStop, ...aroundStart];
  const lengths = phrases.map((phrase) => phrase.split(' ').length);
  /** All words that occur in a phrase: none of them is a misspelling of another one. */
  const known = new Set(phrases.flatMap((phrase) => phrase.split(' ')));
  /** Words for STOP that are so long that no other word is one letter away from them. */
  const longWords = wordsFor('stop')
    .map(([word]) => word)
    .filter((word) => !word.includes(' ') && word.length >= 10);
  const meantLongWord = (word: string): string =>
    word.length < 9 || word.length > 20 || known.has(word)
      ? word
      : (longWords.find((long) => isOneLetterAway(word, long)) ?? word);
  return {
    words,
    saysStop,
    aroundStop,
    saysStartAfterStop,
    aroundStart,
    mostWords: Math.max(...lengths),
    meantWord: (word) => (wordsForTexts.has(word) ? 'SMS' : meantLongWord(word)),
  };
}

function wordsWithMeanings(): ReadonlyMap<string, Word> {
  // STOP is last, so that it wins.
  const entries = [...keywords]
    .reverse()
    .flatMap((keyword) =>
      [...phrasesWithLocales((language) => listed(language[keyword]))].map(([word, locales]): [string, Word] => [
        word,
        { keyword, locales },
      ]),
    );
  return new Map(entries);
}

function phrasesWithLocales(listOf: (of: KeywordPhrases) => readonly string[]): Phrases {
  const found = new Map<string, readonly Language[]>();
  for (const language of all)
    for (const phrase of listOf(language).flatMap(phrasesOf)) {
      const others = found.get(phrase);
      found.set(phrase, others ? [...new Set([...others, ...language.locales])] : language.locales);
    }
  return found;
}

function isOneLetterAway(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  let same = 0;
  while (same < word.length && word[same] === other[same]) same += 1;
  const [rest, otherRest] = [word.slice(same), other.slice(same)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0])
  );
}

/**
 * The beginnings of the signatures that mail programs and phones add, also if a network has put them on the same line.
 */
export const signatures: readonly string[] = [
  'Sent from',
  'Sent via',
  'Get Outlook for',
  'Gesendet von',
  'Gesendet mit',
  'Von meinem',
  'Envoyé de',
  'Envoyé depuis',
  'Envoyé à partir de',
  'Enviado desde',
  'Enviado de',
  'Enviado do',
  'Inviato da',
  'Verzonden vanaf',
  'Verstuurd vanaf',
  'Отправлено с',
  'נשלח מה',
  '发自我的',
].map(normalizedKeyword);
