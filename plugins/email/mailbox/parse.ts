import PostalMime, { type Email } from 'postal-mime';

/**
 * The parser takes 14 µs for each line of text (measured), and a message can have millions of them. Lines of encoded files are longer and
 * cost little, so only shorter ones are counted.
 */
const mostTextLines = 100_000;
const encodedLine = 70;
const lineFeed = 10;

/**
 * Parses a message. One that cannot be parsed, or has more than 100,000 lines of text, comes back empty or with its headers alone: its
 * source can still be shown.
 */
export async function parseMail(raw: Buffer): Promise<Email> {
  return PostalMime.parse(hasTooManyLines(raw) ? headOf(raw) : raw).catch(() => ({
    headers: [],
    headerLines: [],
    attachments: [],
  }));
}

/** The headers of a message with the empty line that ends them; everything where there is none. */
export function headOf(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n\r\n');
  return bytes.subarray(0, end < 0 ? bytes.length : end + 4);
}

function hasTooManyLines(raw: Buffer): boolean {
  let count = 0;
  for (let start = 0, end = raw.indexOf(lineFeed); end >= 0; start = end + 1, end = raw.indexOf(lineFeed, start))
    if (end - start < encodedLine && (count += 1) > mostTextLines) return true;
  return false;
}
