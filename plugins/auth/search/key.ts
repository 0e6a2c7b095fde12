import type { SqlValue } from '#core/runtime/database/statement.js';

/** How many bytes of a key are stored and compared. */
const keyBytes = 480;
/** How many bytes of a part the index contains. */
const partBytes = 200;
/** The largest number of words in a name at which a search can begin. */
const maxWords = 6;

/** Text of at most this many bytes, cut between characters. */
function cutBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const characters = Array.from(text);
  while (Buffer.byteLength(characters.join('')) > bytes) characters.pop();
  return characters.join('');
}

/** The form of a name that searches compare: without case, accents and extra spaces, so that “jose” finds “José”. */
export const searchKey = (name: string): string =>
  cutBytes(
    name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC').replace(/\s+/gu, ' ').trim(),
    keyBytes,
  );

/** The later parts of a name's key: “ada king lovelace” has “king lovelace” and “lovelace”. */
export function laterParts(key: string): string[] {
  const words = key.split(' ');
  return words.slice(1, maxWords).map((_, index) => cutBytes(words.slice(index + 1).join(' '), partBytes));
}

/** A condition on a VARBINARY column that an index can answer as a range. No key contains the byte 0xff. */
export const startsWith = (column: string, prefix: string): { sql: string; parameters: SqlValue[] } => {
  const from = Buffer.from(prefix);
  return { sql: `${column} >= ? AND ${column} < ?`, parameters: [from, Buffer.concat([from, Buffer.of(0xff)])] };
};
