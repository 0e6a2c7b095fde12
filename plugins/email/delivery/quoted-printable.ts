import { encode } from 'nodemailer/lib/qp/index.js';

/** The longest encoded line (RFC 2045 §6.7). */
const lineLength = 76;
const unencoded = /^[\t\r\n !-<>-~]*$/;
const spaceAtEnd = /[ \t](?:\r|$)/;

/**
 * A text as quoted-printable (RFC 2045 §6.7). nodemailer's own lines prefer to end between words, which takes several
 * times as long (measured).
 * @param text its lines end with CRLF
 */
export function quotedPrintable(text: string): string {
  const encoded = unencoded.test(text) && !spaceAtEnd.test(text) ? text : encode(text);
  let lines = '';
  for (let from = 0; from < encoded.length;) {
    const at = encoded.indexOf('\r\n', from);
    const end = at === -1 ? encoded.length : at;
    while (end - from > lineLength) {
      const cut = softBreak(encoded, from + lineLength - 1);
      lines += `${encoded.slice(from, cut)}=\r\n`;
      from = cut;
    }
    const next = at === -1 ? end : end + 2;
    lines += encoded.slice(from, next);
    from = next;
  }
  return lines;
}

/**
 * The end of a line that may end at `at`: before an encoded octet that it would split, and before a character of
 * several octets.
 */
function softBreak(encoded: string, at: number): number {
  let cut = encoded[at - 1] === '=' ? at - 1 : encoded[at - 2] === '=' ? at - 2 : at;
  // Octets 80 to BF continue a character that began before them (RFC 3629 §3): at most three of them.
  for (let octets = 0; octets < 3 && encoded[cut] === '=' && /[89AB]/.test(encoded[cut + 1] ?? ''); octets += 1)
    cut -= 3;
  return cut;
}
