/** The most characters of an answer that are read. */
const mostCharacters = 2_000;

/** Letters that Unicode does not decompose. */
const plainLetters: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ı', 'i'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ß', 'ss'],
]);

/** The address that Postfix writes after a host name: `mx.example.com[192.0.2.1]`, `mx.example.com[192.0.2.1]:25`. */
const addressAfterHost = /\[[0-9a-f.:]{2,60}\](?::\d{1,5})?[):;,.]*$/;

const isHostName = (word: string): boolean => /[\p{L}\d]\.[\p{L}\d]/u.test(word) && /\p{L}$/u.test(word);

/**
 * The words of a server's answer, to compare with phrases: in lower case, without accents, and without what strangers
 * choose: addresses, host names and links. Sentences are separated by `|`. Only the first 2,000 characters are read.
 * @returns with a space at the beginning and at the end
 */
export function foldedAnswer(answer: string): string {
  const folded = answer
    .slice(0, mostCharacters)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łøđıæœß]/g, (letter) => plainLetters.get(letter) ?? letter)
    .replace(/[’‘`]/g, "'")
    .replace(/<[^<>]*>/g, ' ');
  const words = folded.split(/\s+/).flatMap((word) => wordsOf(word));
  return ` ${words.join(' ')} `;
}

function wordsOf(word: string): string[] {
  if (word.includes('@')) return [];
  // Links name the reason, such as ?p=NoSuchUser.
  if (word.includes('://')) return [/[?&]p=(\w+)/.exec(word)?.[1] ?? []].flat();
  const bare = withoutMarks(hostWithoutAddress(word));
  const end = /[.;!]/.test(word.slice(bare.length)) ? ['|'] : [];
  if (isHostName(bare)) return end;
  return [...bare.split(/[^\p{L}\p{N}']+/u).filter((part) => part !== ''), ...end];
}

/** A host name without the address behind it; other words stay. */
const hostWithoutAddress = (word: string): string => (word.includes('[') ? word.replace(addressAfterHost, '') : word);

/** A word without the punctuation at its end. */
function withoutMarks(word: string): string {
  let end = word.length;
  while (end > 0 && !/[\p{L}\p{N}]/u.test(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}

/** Whether a folded answer contains a phrase (words.ts). */
export function containsPhrase(folded: string, phrase: string): boolean {
  return indexOfPhrase(folded, phrase, 0) >= 0;
}

const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** @returns where it begins; -1 if it does not occur */
export function indexOfPhrase(folded: string, phrase: string, from: number): number {
  if (withoutSpaces.test(phrase)) return folded.indexOf(phrase, from);
  return folded.indexOf(phrase.endsWith('*') ? ` ${phrase.slice(0, -1)}` : ` ${phrase} `, from);
}
