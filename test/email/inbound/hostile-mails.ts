import { randomBytes } from 'node:crypto';
import { rawMail } from './support.js';

const multipart = { 'Content-Type': 'multipart/mixed; boundary=b' };
export const id = (): string => `<${randomBytes(8).toString('hex')}@x>`;

/** Nested `depth` deep. */
function nested(depth: number): string {
  let body = 'Content-Type: text/plain\r\n\r\ndeep';
  for (let n = 0; n < depth; n += 1)
    body = `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n${body}\r\n--b${n}--`;
  return `From: ada@example.com\r\n${body}`;
}

/** Mail that is stored, and can be read. */
export const stored: readonly (readonly [what: string, raw: string | Buffer])[] = [
  ['cut in the middle of a part', rawMail(multipart, '--b\r\nContent-Type: text/html\r\nContent-Transfer-Enc')],
  ['of headers alone', 'From: ada@example.com\r\nSubject: x'],
  ['of noise', Buffer.concat([Buffer.from('From: a@b.example\r\n'), randomBytes(300_000)])],
  ['in an unknown charset', rawMail({ 'Content-Type': 'text/plain; charset="x-none\u0000"' }, 'caf\u00e9')],
  ['with a charset that does not fit', Buffer.from(rawMail({ 'Content-Type': 'text/plain; charset=utf-16' }, 'odd'))],
  [
    'with broken encoded words',
    rawMail({ Subject: '=?utf-8?B?////?= =?x?Q?=E4=?=', From: '=?utf-8?Q?=ED=A0=80?= <a@b.example>' }),
  ],
  [
    'with names of object properties as headers',
    rawMail({ __proto__x: '1', constructor: '2', toString: '3' }).replace('__proto__x', '__proto__'),
  ],
  ['with NUL', rawMail({ Subject: 'a\u0000b' }, 'c\u0000d')],
  [
    'with a thousand recipients',
    rawMail({ To: Array.from({ length: 1_000 }, (_, n) => `a${n}@example.com`).join(',\r\n ') }),
  ],
  ['with HTML nested 20,000 deep', rawMail({ 'Content-Type': 'text/html' }, '<div>\r\n'.repeat(20_000))],
  ['with 10,000 unclosed tags in a line', rawMail({ 'Content-Type': 'text/html' }, '<a href="'.repeat(10_000))],
  ['nested 40 deep', nested(40)],
  [
    'with a part of 150,000 header lines',
    rawMail(multipart, `--b\r\nX-A: 1;\r\n${' x=1;\r\n--x: 1\r\n'.repeat(75_000)}\r\nx\r\n--b--`),
  ],
  [
    'with 300,000 spaces in the types of three parts',
    rawMail(
      multipart,
      `${`--b\r\nContent-Type: text/plain${';'.padEnd(300_000)}x\r\n\r\ncaf\u00e9\r\n`.repeat(3)}--b--`,
    ),
  ],
  ['with half a base64 file', rawMail({ 'Content-Type': 'image/png', 'Content-Transfer-Encoding': 'base64' }, 'QUJ')],
  ['with a subject of 100 KiB', rawMail({ Subject: 'x'.repeat(100_000) })],
];

/** Mail that is refused, with the reason. */
export const refused: readonly (readonly [what: string, raw: string | Buffer, reason: string])[] = [
  ['with 10,000 files', rawMail(multipart, '--b\r\nContent-Type: a/b\r\n\r\nx\r\n'.repeat(10_000)), 'too_complex'],
  ['nested 10,000 deep', nested(10_000), 'too_complex'],
  ['with 100,000 headers', `${'X-A: 1\r\n'.repeat(100_000)}${rawMail()}`, 'too_complex'],
  ['with a header of 10 MiB', rawMail({ 'X-A': 'x'.repeat(10_000_000) }), 'too_complex'],
  ['with a million lines', rawMail({}, 'x\r\n'.repeat(1_000_000)), 'too_complex'],
  ['that went through 200 servers', `${'Received: from a by b; now\r\n'.repeat(200)}${rawMail()}`, 'loop'],
];
