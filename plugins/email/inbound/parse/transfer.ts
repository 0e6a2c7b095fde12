/**
 * Decodes a body.
 * @param encoding its Content-Transfer-Encoding, in lower case. If it is unknown, the bytes stay unchanged
 */
export function decodeTransfer(body: Buffer, encoding: string): Buffer {
  if (encoding.includes('base64')) return decodeBase64(body);
  if (encoding.includes('quoted-printable')) return decodeQuotedPrintable(body);
  if (/^(?:x-)?uu/.test(encoding)) return decodeUu(body);
  return body;
}

/**
 * The content of a base64 body: it ends at its `=` (RFC 2045 §6.8), so that the footer that a mailing list appends is
 * excluded. Some mailers pad every line: after a `=`, whole lines of base64 still count.
 */
export function base64Content(body: Buffer): Buffer {
  const first = body.indexOf(0x3d);
  const marks = /(?:^|\n)(?:_{2,}|-{2,})[^\n]*/.exec(body.toString('latin1', Math.max(0, body.length - 16_384)));
  const tail = Math.max(0, body.length - 16_384);
  const marked = marks ? tail + marks.index : body.length;
  if (first < 0) return marked < body.length ? body.subarray(0, marked) : body;
  let end = first;
  for (let start = first; start < body.length;) {
    const found = body.indexOf(10, start);
    const next = found < 0 ? body.length : found + 1;
    const line = body.toString('latin1', start, next).trim();
    const isContent =
      start === first ? true : line === '' || /^(?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?$/i.test(line);
    if (!isContent) return body.subarray(0, Math.min(end, marked));
    end = next;
    start = next;
  }
  return marked < body.length ? body.subarray(0, marked) : body;
}

function decodeBase64(body: Buffer): Buffer {
  const text = base64Content(body).toString('latin1');
  // Buffer.from ends at the first `=`, so each padded unit is decoded separately.
  return Buffer.concat(
    (text.replaceAll(/[^a-z\d+/=]+/gi, '').match(/[^=]+/g) ?? []).map((each) => Buffer.from(each, 'base64')),
  );
}

function decodeQuotedPrintable(body: Buffer): Buffer {
  const text = body
    .toString('latin1')
    .replaceAll(/[ \t]+(\r?\n|$)?/g, (blanks, end: string | undefined) => end ?? blanks)
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}

/** Uuencode (POSIX): a line begins with the number of its bytes, and four characters are three bytes. */
function decodeUu(body: Buffer): Buffer {
  const lines = body.toString('latin1').split(/\r?\n/);
  const begin = lines.findIndex((line) => /^begin [0-7]{3,4} /.test(line));
  if (begin < 0) return body;
  const found: number[] = [];
  for (const line of lines.slice(begin + 1)) {
    if (line === 'end') break;
    const valueAt = (at: number): number => (line.charCodeAt(at) - 32) & 63;
    const bytes: number[] = [];
    const count = line === '' ? 0 : valueAt(0);
    for (let at = 1; bytes.length < count; at += 4) {
      const [a, b, c, d] = [0, 1, 2, 3].map((offset) => (at + offset < line.length ? valueAt(at + offset) : 0));
      const group = ((a ?? 0) << 18) | ((b ?? 0) << 12) | ((c ?? 0) << 6) | (d ?? 0);
      bytes.push((group >> 16) & 255, (group >> 8) & 255, group & 255);
    }
    for (const byte of bytes.slice(0, count)) found.push(byte);
  }
  return Buffer.from(found);
}
