import type { Holder } from '#core/runtime/holder.js';
import type { Digesting } from '#core/runtime/secrets/digest.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { longTextMark, type CanonicalInput } from './canonical.js';

/** Characters that are written and digested in one turn: about 1 ms. */
const sliceLength = 256 * 1024;

/** Slices of a text. No surrogate pair is cut: half of one has no UTF-8. */
function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const last = text.charCodeAt(at + sliceLength - 1);
    const end = at + sliceLength + (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}

/** The texts whose concatenation is the JSON of an input. */
function* piecesOf({ json, longTexts }: CanonicalInput): Generator<string> {
  for (const [index, between] of json.split(longTextMark).entries()) {
    yield* slicesOf(between);
    const long = longTexts[index];
    if (long === undefined) continue;
    yield '"';
    for (const slice of slicesOf(long)) yield JSON.stringify(slice).slice(1, -1);
    yield '"';
  }
}

/**
 * Digests a call in turns, between which other requests are processed: 32 MiB would take 100 ms (measured).
 * @param prefix is digested before the input
 * @param digesting a new one, with its key if it has one
 * @param holder who the work counts for, see takeTurn
 */
export async function digestInput(
  prefix: string,
  input: CanonicalInput,
  digesting: Digesting,
  holder: Holder,
): Promise<Buffer> {
  digesting.update(prefix);
  let sinceTurn = 0;
  for (const piece of piecesOf(input)) {
    sinceTurn += piece.length;
    if (sinceTurn > sliceLength) {
      sinceTurn = piece.length;
      await takeTurn(holder);
    }
    digesting.update(piece);
  }
  return digesting.digest();
}
