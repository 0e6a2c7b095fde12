import { trimEnd } from '#core/runtime/trim-end.js';

/*
 * What people type and paste: with the digits of their keyboard, in full width, and with marks that nobody sees (Apple
 * Contacts wraps numbers in U+202D and U+202C, Signal in U+2068 and U+2069). None of this changes what they mean.
 */

/** Characters without a glyph: format characters, variation selectors and fillers (Unicode, UAX #44). */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** The same without the joiners that IDNA allows in a domain (RFC 5892, A.1 and A.2). */
const invisibleInDomain = /[^\P{Cf}\u200c\u200d]|[^\P{Default_Ignorable_Code_Point}\u200c\u200d]/gu;
const isDigit = /^\p{Nd}$/u;
const foreignDigit = /(?![0-9])\p{Nd}/gu;
/** Full-width forms of ASCII (U+FF01 to U+FF5E). */
const fullWidth = /[\uff01-\uff5e]/g;
/** What people put between groups of digits. */
const dash = /[\p{Pd}\u2212\u30fc]/gu;
const printableAscii = /^[\x20-\x7e]*$/;

/** Every script writes ten digits in a row, from zero (Unicode, UAX #44, General_Category Nd). */
const digitValues = new Map<string, string>();

function digitValue(character: string): string {
  const found = digitValues.get(character);
  if (found !== undefined) return found;
  const point = character.codePointAt(0) ?? 0;
  let first = point;
  while (isDigit.test(String.fromCodePoint(first - 1))) first -= 1;
  const value = String((point - first) % 10);
  digitValues.set(character, value);
  return value;
}

const toAscii = (text: string): string =>
  text
    .replace(fullWidth, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) - 0xfee0))
    .replace(foreignDigit, digitValue);

/**
 * A phone number or code as it was meant: digits of every script in ASCII, dashes as hyphens, all white space as
 * spaces, and nothing invisible. Line breaks and control characters remain.
 */
export const typedDigits = (text: string): string =>
  printableAscii.test(text)
    ? text
    : toAscii(text.replace(invisible, ''))
        .replace(dash, '-')
        .replace(/[\p{Zs}\t]/gu, ' ');

/** A code without what people put around and between its characters. Case remains. */
export const typedCode = (text: string): string => typedDigits(text).replace(/[\s-]/g, '');

/**
 * An email address as it was meant: without space around it and invisible marks, and with full-width and foreign digits
 * in ASCII. Whether it is valid, parseAddress decides.
 */
export function typedAddress(text: string): string {
  if (printableAscii.test(text)) return withoutSpaceAround(text);
  const at = text.search(/[@\uff20]/);
  const local = at === -1 ? text : text.slice(0, at);
  const domain = at === -1 ? '' : text.slice(at);
  const read = toAscii(local.replace(invisible, '')) + toAscii(domain.replace(invisibleInDomain, ''));
  return withoutSpaceAround(read);
}

/** The space separators of Unicode (Zs), and the tab. */
const spaces = ' \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000';

/** A text without space around it, in a time that grows with its length. */
export const withoutSpaceAround = (text: string): string => trimEnd(text, spaces).replace(/^[\p{Zs}\t]+/u, '');
