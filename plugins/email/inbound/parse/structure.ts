import type { UnparsedMail } from './parsed.js';

const lineFeed = 10;
const carriageReturn = 13;

/** Bytes of the headers of the message itself. */
const mostHeaderBytes = 256 * 1024;
const mostHeaderLines = 2_000;
/** The parser takes 14 µs for each line of text (measured). Lines of encoded files are longer and cost little. */
const mostTextLines = 200_000;
const encodedLine = 70;
/** RFC 5321 6.3: servers that count Received fields allow at least 100. */
const mostHops = 100;

/**
 * Checks a message before it is parsed, in one pass over its lines.
 * @returns why it is not parsed; null if it is
 */
export function structureProblem(raw: Uint8Array): UnparsedMail | null {
  let inHeaders = true;
  let headerLines = 0;
  let textLines = 0;
  let hops = 0;
  for (let start = 0; start < raw.length;) {
    const found = raw.indexOf(lineFeed, start);
    const end = found < 0 ? raw.length : found;
    if (inHeaders) {
      const isEmpty = end === start || (end === start + 1 && raw[start] === carriageReturn);
      if (isEmpty) inHeaders = false;
      else if ((headerLines += 1) > mostHeaderLines || end > mostHeaderBytes)
        return {
          refusal: 'too_complex',
          problem: `has more than ${mostHeaderLines} header lines or 256 KiB of headers`,
        };
      else if (isReceived(raw, start) && (hops += 1) > mostHops)
        return { refusal: 'loop', problem: `has passed through more than ${mostHops} mail servers` };
    } else if (end - start < encodedLine && (textLines += 1) > mostTextLines)
      return { refusal: 'too_complex', problem: `has more than ${mostTextLines} lines of text` };
    start = end + 1;
  }
  return null;
}

const received = Buffer.from('received:');

function isReceived(raw: Uint8Array, start: number): boolean {
  // ASCII letters differ from their upper case in one bit; the colon has this bit set.
  for (let at = 0; at < received.length; at += 1) if (((raw[start + at] ?? 0) | 0x20) !== received[at]) return false;
  return true;
}
