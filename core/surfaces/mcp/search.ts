import type { Operation } from '#core/kernel/operation.js';

/*
 * Finds operations by the words that people and agents use: those of their names, summaries, descriptions and keywords,
 * rare words first.
 */

const wordsOf = (text: string): string[] =>
  text
    // Splits operation names too: contact.upsert, pauseAll.
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Words of questions that do not describe the operation. */
const stopWords = new Set(
  'a about all an and any are as at be been by can could did do does for from get got had has have how i if in into is it its let like make me my need of on one or our please should so some that the their them there these they this those to up us use want was we were what when where will with would you your'.split(
    ' ',
  ),
);

/** The word without common endings: invitations, inviting and invited become invit. */
const stemOf = (word: string): string =>
  word.length < 5 ? word.replace(/s$/, '') : word.replace(/(ations?|ings?|ies|ied|ions?|e[drs]|es|s|e|y)$/, '');

/** Words that mean the same in questions about any product. */
const synonyms: readonly (readonly string[])[] = [
  ['get', 'show', 'find', 'see', 'view', 'look'],
  ['list', 'show', 'see'],
  ['update', 'change', 'edit', 'modify', 'rename', 'set'],
  ['create', 'new', 'add'],
  ['delete', 'remove', 'erase'],
  ['cancel', 'stop', 'abort'],
  ['replay', 'retry', 'resend', 'again', 'repeat'],
];
const synonymsOf = (word: string): string[] => [
  ...new Set(
    synonyms
      .filter((group) => group.includes(word))
      .flat()
      .filter((each) => each !== word),
  ),
];

/** How well a word of the query fits a word of a text, from 0 to 1. */
function likeness(queried: string, found: string): number {
  if (queried === found) return 1;
  const [a, b] = [stemOf(queried), stemOf(found)];
  if (a === b) return 0.9;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < 4) return 0;
  if (long.startsWith(short)) return 0.7;
  // mail in email; not phone in xylophone.
  return long.endsWith(short) && long.length - short.length <= 2 ? 0.5 : 0;
}

const weights = { name: 4, keywords: 4, summary: 2, description: 0.7 } as const;
type Field = keyof typeof weights;
const fields: readonly Field[] = ['name', 'keywords', 'summary', 'description'];

/** An operation as search sees it. */
interface Entry {
  readonly operation: Operation;
  readonly words: Readonly<Record<Field, readonly string[]>>;
}

const entryOf = (operation: Operation): Entry => {
  const { name, keywords = '', summary, description = '' } = operation;
  const words = { name, keywords, summary, description };
  return {
    operation,
    words: {
      name: wordsOf(words.name),
      keywords: wordsOf(words.keywords),
      summary: wordsOf(words.summary),
      description: wordsOf(words.description),
    },
  };
};

const bestLikeness = (queried: string, words: readonly string[]): number => {
  const own = words.reduce((best, found) => (best === 1 ? best : Math.max(best, likeness(queried, found))), 0);
  return own === 0 && synonymsOf(queried).some((each) => words.includes(each)) ? 0.6 : own;
};

/** The best weight of a query's word among the fields of an operation; 0 if it does not occur. */
const fitOf = (queried: string, { words }: Entry): number =>
  Math.max(...fields.map((field) => weights[field] * bestLikeness(queried, words[field])));

const maxResults = 20;

/**
 * Operations that fit any word of the query, best first; all operations if the query has no words.
 * @param operations the operations that the caller may call
 */
export function searchOperations(
  operations: readonly Operation[],
  query: string,
): { operation: string; summary: string }[] {
  const shown = ({ name, summary }: Operation): { operation: string; summary: string } => ({
    operation: name,
    summary,
  });
  const given = [...new Set(wordsOf(query.slice(0, 500)))];
  if (given.length === 0) return operations.map(shown);
  const telling = given.filter((word) => !stopWords.has(word));
  const wanted = telling.length > 0 ? telling : given;
  const entries = operations.map(entryOf);
  const fits = wanted.map((word) => entries.map((entry) => fitOf(word, entry)));
  // A word that few operations contain is more significant than one that all contain.
  const rarity = fits.map((each) => Math.log(1 + entries.length / Math.max(1, each.filter((fit) => fit >= 1).length)));
  return entries
    .map((entry, index) => {
      const score = fits.reduce((sum, each, word) => sum + (each[index] ?? 0) * (rarity[word] ?? 0), 0);
      const named = entry.words.name.filter((found) => wanted.some((word) => likeness(word, found) >= 0.7)).length;
      // Among equals, first the operation that the query names more completely: email.send before email.sender.set.
      return { entry, score: score * (1 + named / entry.words.name.length / 4) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ entry }) => shown(entry.operation));
}
