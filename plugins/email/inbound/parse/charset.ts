import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/*
 * Texts of received mail, decoded by a library: how TextDecoder decodes windows-1252 depends on the version of Node,
 * and it does not know the code pages of DOS.
 */

const escape = 0x1b;
const [shiftOut, shiftIn] = [0x0e, 0x0f];

/** Encodings of the library that are not charsets, or that mail does not use. */
const noCharsets = /^(?:hex|base64|binary|cesu-?8|utf-?7-?imap)$/;

/** Labels that name a superset in mail, as in browsers (WHATWG Encoding §4.2), or that the library does not know. */
const aliases = new Map([
  ['iso-8859-1', 'windows-1252'],
  ['iso8859-1', 'windows-1252'],
  ['iso_8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['latin-1', 'windows-1252'],
  ['l1', 'windows-1252'],
  ['cp819', 'windows-1252'],
  ['iso-8859-9', 'windows-1254'],
  ['latin5', 'windows-1254'],
  ['iso-8859-11', 'windows-874'],
  ['iso-8859-8-i', 'iso-8859-8'],
  ['shift_jis', 'cp932'],
  ['gb2312', 'gbk'],
  ['unicode-1-1-utf-7', 'utf-7'],
  ['cp65001', 'utf-8'],
]);

/**
 * Decodes a text. The first of these counts: its label, if all bytes are valid in it; ISO-2022-JP by its escape
 * sequences; UTF-8, if valid; the label in `<meta>`; windows-1252, in which every byte is a character.
 * @param label the charset parameter; undefined if there is none
 */
export function decodeText(bytes: Buffer, label: string | undefined, isHtml = false): string {
  return (
    byLabel(bytes, label) ??
    (/\x1b\$[@B]/.test(bytes.toString('latin1')) ? byLabel(bytes, 'iso-2022-jp') : null) ??
    byLabel(bytes, 'utf-8') ??
    (isHtml ? byLabel(bytes, metaLabel(bytes)) : null) ??
    windows1252(bytes)
  );
}

const metaLabel = (bytes: Buffer): string | undefined =>
  /<meta\s[^>]{0,500}charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(bytes.toString('latin1', 0, 4_096))?.[1];

/** @returns null for an unknown label, and for bytes that are not valid in it */
function byLabel(bytes: Buffer, given: string | undefined): string | null {
  const written = (given ?? '').replaceAll(/["'\s]/g, '').toLowerCase();
  const label = aliases.get(written) ?? written;
  if (label === '' || noCharsets.test(label)) return null;
  if (/^utf-?8$/.test(label)) return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null;
  // A text with escape sequences is not ASCII.
  if (/^(?:us-?)?ascii$|^ansi_x3/.test(label))
    return bytes.some((byte) => byte > 0x7e || byte === escape) ? null : bytes.toString('latin1');
  if (/^(?:x-)?(?:cs)?iso-?2022-?jp|^cp5022[0-2]$|^junet$/.test(label)) return iso2022(bytes, 'euc-jp');
  if (/^(?:cs)?iso-?2022-?kr$/.test(label)) return iso2022(bytes, 'euc-kr');
  if (label === 'windows-1252' || label === 'cp1252') return windows1252(bytes);
  const known = [label, label.replace(/^(?:x-|cs)/, '')].find((each) => iconv.encodingExists(each));
  if (known === undefined || !iconv.encodingExists(known)) return null;
  const text = iconv.decode(bytes, known);
  return text.includes('\uFFFD') ? null : text;
}

/** Bytes without a character in windows-1252 become the control characters of the same number, as in browsers. */
const windows1252 = (bytes: Buffer): string =>
  iconv.decode(bytes, 'windows-1252').replaceAll('\uFFFD', (_, at: number) => String.fromCharCode(bytes[at] ?? 0));

/**
 * Decodes ISO-2022-JP (RFC 1468, with the extensions of Microsoft) and ISO-2022-KR (RFC 1557): both are EUC without the
 * eighth bit, and with escape sequences instead.
 * @returns null for bytes that are not valid in it
 */
function iso2022(bytes: Buffer, euc: 'euc-jp' | 'euc-kr'): string | null {
  const found: number[] = [];
  let set = '(B';
  let isShifted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte > 0x7f) return null;
    if (byte === escape) {
      const [, name] = /^(\$\)C|\$[@B]|\([BIJ])/.exec(bytes.toString('latin1', at + 1, at + 4)) ?? [];
      if (name === undefined) return null;
      if (!name.startsWith('$)')) set = name;
      at += name.length;
    } else if (byte === shiftOut || byte === shiftIn) isShifted = byte === shiftOut;
    else if (byte <= 0x20) {
      found.push(byte);
      // A line begins in ASCII (RFC 1468).
      if (byte === 0x0a) set = '(B';
    } else if (isShifted && euc === 'euc-kr') found.push(byte | 0x80);
    else if (set === '(I' || (isShifted && set.startsWith('('))) found.push(0x8e, byte | 0x80);
    else if (set === '$B' || set === '$@') found.push(byte | 0x80);
    else found.push(byte);
  }
  const text = iconv.decode(Buffer.from(found), euc);
  return text.includes('\uFFFD') ? null : text;
}
