import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { refusalOf } from '#core/kernel/errors/common.js';
import { withoutMark } from '#core/runtime/json.js';
import type { Holder } from '#core/runtime/holder.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { guardSteps, invalidEscape, longNumber, type Suspects } from './json-guard.js';
import { scan, scannedFrom, textPieceBytes, type BodySender, type LongText } from './json-scan.js';

/** The headers of a body, and who sent it. */
interface BodyFacts extends BodySender {
  contentType: string | undefined;
  contentEncoding?: string | undefined;
}

/**
 * Parses a JSON body. The long lists and texts of a large one are parsed in pieces, with a turn for other requests
 * between them.
 * @throws unsupported_media_type, invalid_json, and invalid_input for too many names or values, nesting beyond 32, a
 *   whole number beyond 2^53, a name that changes a prototype, or a text or name with a lone surrogate or NUL
 */
export async function parseBody(
  bytes: Buffer,
  { contentType, contentEncoding: encoding, ...sender }: BodyFacts,
): Promise<unknown> {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw refusalOf.unsupported_media_type({ type: `encoded with ${encoding.slice(0, 100)}` });
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json')
    throw refusalOf.unsupported_media_type({
      type: type === '' ? 'a request without Content-Type' : type.slice(0, 100),
    });
  // Decoding would silently replace invalid bytes with U+FFFD.
  if (!isUtf8(bytes)) throw refusalOf.invalid_json({ problem: 'it is not UTF-8' });
  const { value, ...suspects } =
    bytes.length > scannedFrom ? await parseInTurns(bytes, sender) : parseAtOnce(bytes.toString('utf8'));
  // A generator with nothing left to do takes no turn.
  for (const _ of guardSteps(value, suspects)) await takeTurn(sender.holder);
  if (bytes.length > checkedLaterFrom) await takeTurn(sender.holder);
  // A body that is nothing but a long text.
  return suspects.longTexts?.get(value) ?? value;
}

/** A body with texts of such a length takes milliseconds to parse, and as long to check against its schema. */
const checkedLaterFrom = 256 * 1024;

interface Parsed extends Suspects {
  value: unknown;
}

/** @param isPiece of a body: positions in it mean nothing to the sender */
function parseAtOnce(text: string, isPiece = false): Parsed {
  try {
    // A byte order mark may be ignored (RFC 8259 §8.1), and some clients write one.
    return {
      value: JSON.parse(withoutMark(text)),
      texts: invalidEscape.test(text),
      longNumbers: longNumber.test(text),
    };
  } catch (error) {
    const found = error instanceof Error ? error.message.slice(0, 200) : 'it does not parse';
    const message = isPiece ? found.replace(/ at position .*/s, '') : found;
    throw refusalOf.invalid_json({ problem: text === '' ? 'it is empty' : message });
  }
}

/** A long text, and the mark that stands for it while what is around it is parsed. */
interface MarkedText extends LongText {
  readonly mark: string;
}

/** Parses the body with a mark in place of each long list's elements and of each long text, and these apart. */
async function parseInTurns(bytes: Buffer, sender: BodySender): Promise<Parsed> {
  await takeTurn(sender.holder);
  const { lists, texts } = await scan(bytes, sender);
  if (lists.length === 0 && texts.length === 0) return parseAtOnce(bytes.toString('utf8'));
  const found = { texts: false, longNumbers: false };
  const parse = (text: string): unknown => {
    const piece = parseAtOnce(text, true);
    found.texts ||= piece.texts;
    found.longNumbers ||= piece.longNumbers;
    return piece.value;
  };
  const marked = texts.map((text): MarkedText => ({ ...text, mark: randomUUID() }));
  const longTexts = await parseTexts(bytes, marked, parse, sender.holder);
  const between = betweenTexts(bytes, marked);
  const elements = new Map<unknown, unknown[]>();
  const rest: string[] = [];
  let end = 0;
  for (const { open, close, cuts } of lists) {
    rest.push(between(end, open + 1));
    const list: unknown[] = [];
    let start = open + 1;
    for (const cut of [...cuts, close]) {
      const piece = parse(`[${between(start, cut)}]`);
      // Nothing is between two commas, or after the last one.
      if (!Array.isArray(piece) || piece.length === 0)
        throw refusalOf.invalid_json({ problem: 'a list has a comma without an element' });
      for (const element of piece) list.push(element);
      start = cut + 1;
      await takeTurn(sender.holder);
    }
    const mark = randomUUID();
    elements.set(mark, list);
    rest.push(JSON.stringify(mark));
    end = close;
  }
  const value = parse(rest.join('') + between(end, bytes.length));
  // The values of a text would be its characters.
  for (const list of typeof value === 'object' ? Object.values(value ?? {}) : []) {
    const whole: unknown = Array.isArray(list) ? elements.get(list[0]) : undefined;
    if (Array.isArray(list) && Array.isArray(whole)) {
      list.pop();
      for (const element of whole) list.push(element);
    }
  }
  return { value, longTexts, ...found };
}

/** @returns the long texts by their marks. The two escapes of one character may be in two pieces of a text. */
async function parseTexts(
  bytes: Buffer,
  texts: readonly MarkedText[],
  parse: (text: string) => unknown,
  holder: Holder,
): Promise<Map<unknown, string>> {
  const whole = new Map<unknown, string>();
  let sinceTurn = 0;
  for (const { open, close, cuts, mark } of texts) {
    const pieces: unknown[] = [];
    let start = open + 1;
    for (const cut of [...cuts, close]) {
      sinceTurn += cut - start;
      if (sinceTurn > textPieceBytes) {
        sinceTurn = cut - start;
        await takeTurn(holder);
      }
      pieces.push(parse(`"${bytes.toString('utf8', start, cut)}"`));
      start = cut;
    }
    whole.set(mark, pieces.join(''));
  }
  return whole;
}

/** @returns a function for the JSON between two indexes, with the marks of the long texts. It is called in order. */
function betweenTexts(bytes: Buffer, texts: readonly MarkedText[]): (start: number, end: number) => string {
  let next = 0;
  return (start, end) => {
    const parts: string[] = [];
    let from = start;
    for (let text = texts[next]; text && text.open < end; text = texts[next]) {
      parts.push(bytes.toString('utf8', from, text.open), JSON.stringify(text.mark));
      from = text.close + 1;
      next += 1;
    }
    return parts.join('') + bytes.toString('utf8', from, end);
  };
}
