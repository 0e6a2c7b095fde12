import { normalizedKeyword } from './normalize.js';

/**
 * The phrases of a pattern, in the form in which keywords are compared. `(a|b)` is one of several, `(a|)` may be left
 * out; groups do not nest. `no more (texts|messages)` has two phrases. A word with an umlaut or an apostrophe is also
 * known as people type it without: `kuendigen`, `m ecrivez`.
 */
export function phrasesOf(pattern: string): string[] {
  const group = /\(([^()]*)\)/.exec(pattern);
  if (group === null) return spellings(pattern);
  const [whole, choices = ''] = group;
  return choices.split('|').flatMap((choice) => phrasesOf(pattern.replace(whole, () => choice)));
}

const spellings = (text: string): string[] => {
  const phrase = text.replaceAll('’ ', '’');
  const umlauts = phrase.replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? letter);
  const all = new Set([phrase, umlauts].flatMap((each) => [each, each.replaceAll('’', ' ')]));
  return [...new Set([...all].map(normalizedPhrase))].filter((each) => each !== '');
};

const normalizedWords = new Map<string, string>();

/**
 * The same as normalizedKeyword, word by word: the 20,000 built-in phrases consist of a few hundred different words.
 */
const normalizedPhrase = (phrase: string): string =>
  phrase
    .split(' ')
    .map(normalizedWord)
    .filter((word) => word !== '')
    .join(' ');

function normalizedWord(word: string): string {
  const known = normalizedWords.get(word) ?? normalizedKeyword(word);
  normalizedWords.set(word, known);
  return known;
}
