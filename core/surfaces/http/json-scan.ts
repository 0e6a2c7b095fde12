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
/** Longer texts are parsed apart from what is around them. */
const longTextBytes = 16 * 1024;
/** The number of bytes of a long text that are parsed in one turn: characters beyond ASCII take about 1 ms. */
export const textPieceBytes = 256 * 1024;
/** The largest name: a longer one is in no schema. */
const maxNameBytes = 16 * 1024;
/** The number of bytes that are parsed in one turn without the long texts among them: at most 40 ms. */
const maxBytesAtOnce = 4 * 1024 * 1024;
/** The number of bytes that are scanned in one turn: about 2 ms. */
const bytesPerTurn = 512 * 1024;

/** A list directly in the body's object that is longer than one piece. */
interface LongList {
  /** The indexes of its brackets. */
  open: number;
  close: number;
  /** The indexes of commas between its elements, at which the pieces end. */
  cuts: number[];
}

/** A text of more than `longTextBytes`, at any depth. */
export interface LongText {
  /** The indexes of its quotes. */
  open: number;
  close: number;
  /** The indexes between its characters at which the pieces end and the next ones begin. No escape is cut. */
  cuts: number[];
}

/** What can be parsed in pieces, in the order of the body. */
interface LongValues {
  lists: LongList[];
  texts: LongText[];
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

/** The longest escape: \\u and four digits. */
const escapeBytes = 6;
/** Whether a byte continues a character of UTF-8 that began before it. */
const continuesCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;

/**
 * Counts the names and values of a body before it is parsed, and finds the long lists and texts that can be parsed
 * piece by piece. The JSON may be invalid.
 * @throws invalid_input for a body with too many of them, or with too many bytes outside of them, and invalid_json for
 *   a body with several values, such as JSON lines
 */
export async function scan(bytes: Buffer, { holder, maxNames }: BodySender): Promise<LongValues> {
  const lists: LongList[] = [];
  const texts: LongText[] = [];
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
  /** Bytes outside of long lists and texts, and those of long texts since `pieceStart`. */
  let outsideBytes = 0;
  let inLongTexts = 0;
  /** Begins a piece after `index`. @returns the bytes of the piece that ends there, without its long texts */
  const nextPiece = (index: number): number => {
    const ended = index - pieceStart - inLongTexts;
    inLongTexts = 0;
    pieceStart = index + 1;
    piece = 0;
    return ended;
  };
  const check = (atOnce: number, bytesAtOnce: number): void => {
    if (atOnce > maxAtOnce) throw invalid('body', `holds more than ${maxAtOnce} names and values outside of one list`);
    if (bytesAtOnce > maxBytesAtOnce)
      throw invalid('body', `holds more than ${maxBytesAtOnce} bytes outside of long lists and texts`);
  };
  let textStart = 0;
  let textEnd = 0;
  let nextCutAt = 0;
  let afterEscape = 0;
  let cuts: number[] = [];
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === quote) {
      inText = !inText;
      if (inText) {
        textStart = index + 1;
        nextCutAt = textStart + textPieceBytes;
        cuts = [];
      } else {
        textEnd = index;
        if (textEnd - textStart > longTextBytes) {
          texts.push({ open: textStart - 1, close: textEnd, cuts });
          inLongTexts += textEnd - textStart;
        }
      }
    } else if (inText) {
      if (index >= nextCutAt && (byte === backslash || (index >= afterEscape && !continuesCharacter(byte)))) {
        cuts.push(index);
        nextCutAt = index + textPieceBytes;
      }
      if (byte === backslash) {
        afterEscape = index + escapeBytes;
        index += 1;
      }
    } else if (byte === comma || byte === colon) {
      piece += 1;
      if (byte === colon && textEnd - textStart > maxNameBytes)
        throw invalid('body', `holds a name of more than ${maxNameBytes} bytes`);
      if (byte === colon) names.add(textStart, textEnd);
      if (byte === comma && list && depth === 2 && index - pieceStart >= pieceBytes) {
        const ofPiece = piece;
        values += ofPiece;
        check(ofPiece, nextPiece(index));
        list.cuts.push(index);
        names.endPiece();
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
        outsideBytes += nextPiece(index);
        names.startPiece();
        list = { open: index, close: index, cuts: [] };
      }
    } else if (byte === endBrace || byte === endBracket) {
      depth -= 1;
      if (depth === 1 && list) {
        const ofPiece = piece;
        const bytesOfPiece = nextPiece(index);
        check(ofPiece, bytesOfPiece);
        values += ofPiece;
        if (list.cuts.length > 0) {
          names.endPiece();
          lists.push({ ...list, close: index });
        } else {
          outside += ofPiece;
          outsideBytes += bytesOfPiece;
        }
        names.endList();
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
  if (inText) throw refusalOf.invalid_json({ problem: 'a text in it is not closed' });
  // A list that never ends is parsed with the rest, up to the error.
  const atOnce = list ? values + piece : outside + piece;
  check(atOnce, outsideBytes + nextPiece(bytes.length));
  return { lists, texts };
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
