import { randomInt } from 'node:crypto';

/** Consonants alone: no two look alike, and no words come about (RFC 8628 section 6.1). 20^8 codes. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** A code for people to type, without its hyphen: eight letters. */
export const newUserCode = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** `BCDF-GHJK` */
export const shownUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/** What somebody typed as it is stored: in capitals, without spaces and hyphens. */
export const typedUserCode = (text: string): string => text.toUpperCase().replaceAll(/[\s-]/g, '');
