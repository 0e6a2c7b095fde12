import { randomInt } from 'node:crypto';

/** Only consonants: no two look alike, and they form no words (RFC 8628 section 6.1). 20^8 codes. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** A code for people to type, without its hyphen: eight letters. */
export const newUserCode = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** `BCDF-GHJK` */
export const shownUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/** Typed text in the stored form: in capitals, without spaces and hyphens. */
export const typedUserCode = (text: string): string => text.toUpperCase().replaceAll(/[\s-]/g, '');
