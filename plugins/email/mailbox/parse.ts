import PostalMime, { type Email } from 'postal-mime';

/**
 * The parser takes 14 µs for each line of text (measured), and a message can have millions of them. Lines of encoded
 * files are longer and cost little, so only shorter ones are counted.
 */
const mostTextLines = 20_000;
const encodedLine = 70;
const lineFeed = 10;

/**
 * Parses a message. A message that cannot be parsed, or has more than 20,000 lines of text, is returned empty or with
 * only its headers: its source can still be shown.
 */
export async function parseMail(raw: Buffer): Promise<Email> {
  return PostalMime.parse(hasTooManyLines(raw) ? withLines(raw, 0) : raw).catch(() => ({
    headers: [],
    headerLines: [],
    attachments: [],
  }));
}

/** The headers of a message and the first lines of its body; everything if no empty line ends the headers. */
export function withLines(bytes: Buffer, count: number): Buffer {
  const headers = bytes.indexOf('\r\n\r\n');
  if (headers < 0) return bytes;
  let end = headers + 4;
  for (let line = 0; line < count; line += 1) {
    const next = bytes.indexOf(lineFeed, end);
    if (next < 0) return bytes;
    end = next + 1;
  }
  return bytes.subarray(0, end);
}

function hasTooManyLines(raw: Buffer): boolean {
  let count = 0;
  for (let start = 0, end = raw.indexOf(lineFeed); end >= 0; start = end + 1, end = raw.indexOf(lineFeed, start))
    if (end - start < encodedLine && (count += 1) > mostTextLines) return true;
  return false;
}
