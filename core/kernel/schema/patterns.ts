/*
 * Patterns of texts that several products accept, and the text of a refusal in place of the pattern itself, which few
 * people can read.
 */

/** ISO 3166-1 alpha-2. */
export const countryPattern = '^[A-Z]{2}$';
/** A month (UTC). */
export const monthPattern = '^\\d{4}-(0[1-9]|1[0-2])$';
/** An amount of money or a price of at least 0. */
export const pricePattern = '^\\d{1,9}(\\.\\d{1,6})?$';
/** The pattern of an amount in replies and in input: at most six decimals. */
export const amountPattern = '^-?\\d{1,13}(\\.\\d{1,6})?$';
/** A time of day. */
export const clockTimePattern = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
/** The name of a template or a recorded event. */
export const namePattern = '^[a-z0-9][a-z0-9._-]{0,99}$';
/** A key that people choose. */
export const keyPattern = '^[a-z0-9][a-z0-9_-]{0,63}$';
/** A tag with its value, as lists are filtered by it. */
export const tagPattern = '^[A-Za-z0-9_.-]{1,60}=.{1,250}$';

const decimal = 'must be a decimal number as a text, such as "12.50", with at most six decimals';
const lowerCase = (signs: string): string =>
  `must have only lower-case letters, digits, ${signs}, and begin with a letter or a digit`;

/** The text of a refusal for a value that does not match, by pattern: the end of a sentence. */
export const patternProblems: Readonly<Record<string, string>> = {
  [countryPattern]: 'must be the two capital letters of a country (ISO 3166-1 alpha-2), such as DE',
  [monthPattern]: 'must be a month as YYYY-MM, such as 2026-11',
  [pricePattern]: `${decimal} and no sign`,
  [amountPattern]: decimal,
  [clockTimePattern]: 'must be a time of day as hh:mm, such as 21:30',
  [tagPattern]:
    'must be a tag with its value as name=value, such as campaign=spring; a name has letters, digits, dots, hyphens and underscores',
  [namePattern]: `${lowerCase('dots, hyphens and underscores')}, at most 100 in all`,
  [keyPattern]: `${lowerCase('hyphens and underscores')}, at most 64 in all`,
};
