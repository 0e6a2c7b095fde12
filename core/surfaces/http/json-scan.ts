import { refusalOf } from '#core/kernel/errors/common.js';
import type { Holder } from '#core/runtime/holder.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { invalid } from './json-guard.js';

/**
 * Names, values, objects and lists of one body: a body of 32 MiB could hold 16 million, and their parsed form ten times
 * its size.
 */
const maxValues = 3_000_000;
/** The largest legitimate body, an import of 50,000 contacts, has 200,000. */
const maxContainers = 500_000;
/** The number of names and values that are parsed in one turn. */
const maxAtOnce = 50_000;
/**
 * Smaller bodies take about a millisecond regardless of their content. They are not scanned and do not wait for a turn.
 */
export const scannedFrom = 4 * 1024;
/**
 * The number of different names that are parsed in one turn. V8 keeps each name once and looks up repeated ones, so
 * different names are the costly ones: 5,700 take 9 ms to parse, check and refuse; the same number of repeated ones
 * takes 1 ms (measured). The first bound is for callers whose key is public.
 */
export const maxNames = { public: 500, secret: 8_000 } as const;
/** The number of bytes of a long list's elements that are parsed in one turn. */
const pieceBytes = 64 * 1024;
/** The number of bytes that are scanned in one turn: about 2 ms. */
const bytesPerTurn = 512 * 1024;

/** A list directly in the body's object that is longer than one piece. */
export interface LongList {
  /** The indexes of its brackets. */
  open: number;
  close: number;
  /** The indexes of commas between its elements, at which the pieces end. */
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

/** The sender of a body, for the limits of its parsing. */
export interface BodySender {
  /** The holder that its turns count for, see takeTurn. */
  holder: Holder;
  /** The maximum number of different names that are parsed in one turn. */
  maxNames: number;
}

/**
 * Counts the names and values of a body before it is parsed, and finds the long lists that can be parsed piece by
 * piece. The JSON may be invalid.
 * @throws invalid_input for a body with too many of them, invalid_json for a body with several values, such as JSON
 *   lines
 */
export async function scan(bytes: Buffer, { holder, maxNames }: BodySender): Promise<LongList[]> {
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
  const names = countNames(bytes, maxNames);
  const check = (atOnce: number): void => {
    if (atOnce > maxAtOnce) throw invalid('body', `holds more than ${maxAtOnce} names and values outside of one list`);
  };
  let textStart = 0;
  let textEnd = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quote) {
      inText = !inText;
      if (inText) textStart = index + 1;
      else textEnd = index;
    } else if (inText) index += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === colon) {
      piece += 1;
      if (byte === colon) names.add(textStart, textEnd);
      if (byte === comma && list && depth === 2 && index - pieceStart >= pieceBytes) {
        check(piece);
        list.cuts.push(index);
        names.endPiece();
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
        names.startPiece();
        list = { open: index, close: index, cuts: [] };
      }
    } else if (byte === endBrace || byte === endBracket) {
      depth -= 1;
      if (depth === 1 && list) {
        check(piece);
        if (list.cuts.length > 0) {
          names.endPiece();
          long.push({ ...list, close: index });
        } else outside += piece;
        names.endList();
        values += piece;
        piece = 0;
        list = undefined;
      }
    }
    if (index >= nextTurnAt) {
      if (values + piece > maxValues) break;
      nextTurnAt += bytesPerTurn;
      await takeTurn(holder);
    }
  }
  if (values + piece > maxValues) throw invalid('body', `holds more than ${maxValues} names and values`);
  if (containers > maxContainers) throw invalid('body', `holds more than ${maxContainers} objects and lists`);
  // A list that never ends is parsed with the rest, up to the error.
  check(list ? values + piece : outside + piece);
  return long;
}

/**
 * Counts the different names that are parsed in one turn: in each piece of a long list, and in everything else
 * together.
 */
interface NameCount {
  /** Counts the name between two indexes. @throws invalid_input for a body with too many */
  add(start: number, end: number): void;
  /** A list in the body's object begins: it may turn out to be long. */
  startPiece(): void;
  endPiece(): void;
  /** The list has ended: the names of a short one count with everything else. */
  endList(): void;
}

function countNames(bytes: Buffer, most: number): NameCount {
  const outside = new Set<number>();
  const piece = new Set<number>();
  let inList = false;
  let isLong = false;
  return {
    add(start, end) {
      // FNV-1a: two names with one hash are counted once, which happens to one in a hundred million pairs.
      let hash = 0x811c9dc5;
      for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
      const names = inList ? piece : outside;
      names.add(hash);
      if (names.size > most) throw invalid('body', `holds more than ${most} different names`);
    },
    startPiece() {
      inList = true;
      isLong = false;
    },
    endPiece() {
      isLong = true;
      piece.clear();
    },
    endList() {
      if (!isLong) for (const name of piece) outside.add(name);
      piece.clear();
      inList = false;
      if (outside.size > most) throw invalid('body', `holds more than ${most} different names`);
    },
  };
}
