import { refusalOf } from '#core/kernel/errors/common.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { invalid } from './json-guard.js';

/** Names, values, objects and lists of one body: a body of 32 MiB could hold 16 million, and their parsed form ten times its size. */
const maxValues = 3_000_000;
/** The largest legitimate body, an import of 50,000 contacts, has 200,000. */
const maxContainers = 500_000;
/** What is parsed at once, in one turn: 50,000 different names take 70 ms (measured). */
const maxAtOnce = 50_000;
/** Bodies up to this many bytes cannot hold more than `maxAtOnce`. */
export const countedFrom = 2 * maxAtOnce;
/** Bytes of a long list's elements that are parsed at once. */
const pieceBytes = 64 * 1024;
const bytesPerTurn = 2 * 1024 * 1024;

/** A list directly in the body's object that is longer than one piece. */
export interface LongList {
  /** The indexes of its brackets. */
  open: number;
  close: number;
  /** The indexes of commas between its elements, where the pieces end. */
  cuts: number[];
}

const [quote, backslash, comma, colon, brace, bracket, endBrace, endBracket] = [
  '"',
  '\\',
  ',',
  ':',
  '{',
  '[',
  '}',
  ']',
].map((letter) => letter.charCodeAt(0));

/**
 * Counts what a body holds before it is parsed, and finds the long lists that can be parsed piece by piece. The JSON may be invalid.
 * @throws invalid_input for a body that holds too much, invalid_json for one of several values, such as JSON lines
 */
export async function scan(bytes: Buffer): Promise<LongList[]> {
  const long: LongList[] = [];
  let list: LongList | undefined;
  let depth = 0;
  let inText = false;
  let containers = 0;
  let values = 0;
  /** Values outside of long lists, those of the current list, and those of its current piece. */
  let outside = 0;
  let piece = 0;
  let pieceStart = 0;
  let nextTurnAt = bytesPerTurn;
  const check = (atOnce: number): void => {
    if (atOnce > maxAtOnce) throw invalid('body', `holds more than ${maxAtOnce} names and values outside of one list`);
  };
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) inText = !inText;
    else if (inText) index += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === colon) {
      piece += 1;
      if (byte === comma && list && depth === 2 && index - pieceStart >= pieceBytes) {
        check(piece);
        list.cuts.push(index);
        values += piece;
        piece = 0;
        pieceStart = index + 1;
      }
    } else if (byte === brace || byte === bracket) {
      containers += 1;
      piece += 1;
      depth += 1;
      if (depth === 1 && containers > 1)
        throw refusalOf.invalid_json({
          problem: 'a second value begins where the first one has ended, as in JSON lines',
        });
      if (depth === 2 && byte === bracket) {
        outside += piece;
        values += piece;
        piece = 0;
        pieceStart = index + 1;
        list = { open: index, close: index, cuts: [] };
      }
    } else if (byte === endBrace || byte === endBracket) {
      depth -= 1;
      if (depth === 1 && list) {
        check(piece);
        if (list.cuts.length > 0) long.push({ ...list, close: index });
        else outside += piece;
        values += piece;
        piece = 0;
        list = undefined;
      }
    }
    if (index >= nextTurnAt) {
      if (values + piece > maxValues) break;
      nextTurnAt += bytesPerTurn;
      await takeTurn();
    }
  }
  if (values + piece > maxValues) throw invalid('body', `holds more than ${maxValues} names and values`);
  if (containers > maxContainers) throw invalid('body', `holds more than ${maxContainers} objects and lists`);
  // A list that never ends is parsed with the rest, up to the error.
  check(list ? values + piece : outside + piece);
  return long;
}
