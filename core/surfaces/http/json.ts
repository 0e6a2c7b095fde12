import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { refusalOf } from '#core/kernel/errors/common.js';
import { withoutMark } from '#core/runtime/json.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { guardSteps, invalidEscape, longNumber, type Suspects } from './json-guard.js';
import { scan, scannedFrom, type BodySender, type LongList } from './json-scan.js';

/** The headers of a body, and who sent it. */
interface BodyFacts extends BodySender {
  contentType: string | undefined;
  contentEncoding?: string | undefined;
}

/**
 * Parses a JSON body. The long lists of a large one are parsed in pieces, with a turn for other requests between them.
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
  return value;
}

/** A body with texts of such a length takes milliseconds to parse, and as long to check against its schema. */
const checkedLaterFrom = 256 * 1024;

interface Parsed extends Suspects {
  value: unknown;
}

function parseAtOnce(text: string): Parsed {
  try {
    // A byte order mark may be ignored (RFC 8259 §8.1), and some clients write one.
    return {
      value: JSON.parse(withoutMark(text)),
      texts: invalidEscape.test(text),
      longNumbers: longNumber.test(text),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 200) : 'it does not parse';
    throw refusalOf.invalid_json({ problem: text === '' ? 'it is empty' : message });
  }
}

/** Parses the body with a mark in place of each long list's elements, and the elements apart. */
async function parseInTurns(bytes: Buffer, sender: BodySender): Promise<Parsed> {
  await takeTurn(sender.holder);
  const long: readonly LongList[] = await scan(bytes, sender);
  if (long.length === 0) return parseAtOnce(bytes.toString('utf8'));
  const elements = new Map<unknown, unknown[]>();
  const rest: string[] = [];
  const found = { texts: false, longNumbers: false };
  let end = 0;
  for (const { open, close, cuts } of long) {
    const list: unknown[] = [];
    let start = open + 1;
    for (const cut of [...cuts, close]) {
      const piece = parseAtOnce(`[${bytes.toString('utf8', start, cut)}]`);
      // Nothing is between two commas, or after the last one.
      if (!Array.isArray(piece.value) || piece.value.length === 0)
        throw refusalOf.invalid_json({ problem: 'a list has a comma without an element' });
      for (const element of piece.value) list.push(element);
      found.texts ||= piece.texts;
      found.longNumbers ||= piece.longNumbers;
      start = cut + 1;
      await takeTurn(sender.holder);
    }
    const mark = randomUUID();
    elements.set(mark, list);
    rest.push(bytes.toString('utf8', end, open + 1), JSON.stringify(mark));
    end = close;
  }
  const { value, ...rested } = parseAtOnce(rest.join('') + bytes.toString('utf8', end));
  // The values of a text would be its characters.
  for (const list of typeof value === 'object' ? Object.values(value ?? {}) : []) {
    const whole: unknown = Array.isArray(list) ? elements.get(list[0]) : undefined;
    if (Array.isArray(list) && Array.isArray(whole)) {
      list.pop();
      for (const element of whole) list.push(element);
    }
  }
  return {
    value,
    texts: found.texts || rested.texts,
    longNumbers: found.longNumbers || rested.longNumbers,
  };
}
