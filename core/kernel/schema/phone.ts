import { invalidField } from '../errors/invalid-field.js';
import { typedDigits } from './typed.js';
import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

type ParsedPhone = { ok: true; number: string } | { ok: false; problem: string };

/** What libphonenumber returns for a number. */
interface NumberFacts {
  /** In E.164. */
  readonly number: string;
  readonly isValid: boolean;
  readonly country: string | null;
  readonly callingCode: string;
}

/**
 * Reading a number takes 15 µs and 4 KiB, and each number of a broadcast is looked up several times within a second.
 */
const known = new Map<string, NumberFacts | null>();
const maxKnown = 2_000;

/** @returns null if it is not a number */
function factsOf(text: string): NumberFacts | null {
  const found = known.get(text);
  if (found !== undefined) return found;
  const parsed = parsePhoneNumberFromString(text, { extract: false });
  const facts = parsed
    ? {
        number: parsed.number,
        isValid: parsed.isValid(),
        country: parsed.country ?? null,
        callingCode: parsed.countryCallingCode,
      }
    : null;
  if (known.size >= maxKnown) known.clear();
  known.set(text, facts);
  return facts;
}

/** Digits and common separators. Letters, extensions and second numbers are rejected, not silently dropped. */
const international = /^\+[\d\s().-]{6,30}$/;
/** The slash after an area code: +49 30/901820. Between two numbers it comes later. */
const areaSlash = /^(\+[\d\s().-]{2,12})\/(?=[\d\s().-]{4,}$)/;
const longestTyped = 64;

/**
 * Reads one phone number in international form and normalizes it to E.164 (ITU-T E.164: `+` and at most 15 digits).
 * @param text as a person typed it: `+49 171 3920000` and `+491713920000` are one number
 * @returns the number to store and to send to, or what is wrong with it, as the end of a sentence about it. A number
 *   in an old form that its country no longer assigns is returned in today's form
 */
export function parsePhone(text: string): ParsedPhone {
  const typed = text.length > longestTyped ? '' : typedDigits(text).trim().replace(areaSlash, '$1 ');
  if (!international.test(typed))
    return refused(
      'must be one phone number in international form, with + and the country code, such as +491713920000',
    );
  const facts = factsOf(typed);
  if (facts?.isValid === true) return { ok: true, number: facts.number };
  const digits = typed.replace(/[^+\d]/g, '');
  const today = phoneKey(digits);
  const current = today === digits ? null : factsOf(today);
  return current?.isValid === true
    ? { ok: true, number: current.number }
    : refused('is not a phone number that exists in its country');
}

/*
 * Three countries have two forms for one phone, and carriers, providers and address books use both:
 * - Mexico: +52 1 and ten digits until August 2019, for mobile phones dialled from abroad; +52 and the same digits
 *   since. 044, 045 and 01 were dialled inside the country.
 * - Argentina: +54 9, area code and number for mobile phones; the same without 9 as carriers write senders.
 * - Brazil: a ninth digit, 9, was put before mobile numbers, which began with 6 to 9, between 2012 and 2016.
 * Sources: ITU-T E.164 national numbering plans of Mexico (2019), Argentina and Brazil (Anatel, resolution 553/2010).
 */

/** How a country's other form becomes the form that numbers are compared in. */
const sameForms: readonly { readonly other: RegExp; readonly key: string }[] = [
  { other: /^\+52(?:1|04[45]|01)(\d{10})$/, key: '+52$1' },
  { other: /^\+54(?!9)(\d{10})$/, key: '+549$1' },
  { other: /^\+55(\d{2})([6-9]\d{7})$/, key: '+55$19$2' },
];

/**
 * The form that numbers are compared in: one for each phone.
 * @param number in E.164; other texts are returned as they are
 */
export function phoneKey(number: string): string {
  for (const { other, key } of sameForms) if (other.test(number)) return number.replace(other, key);
  return number;
}

/**
 * Every form that the number of one phone can be stored in: first as it is compared, then those of rows that were
 * stored as they were given.
 */
export function phoneForms(number: string): readonly string[] {
  const key = phoneKey(number);
  const [argentine] = /(?<=^\+549)\d{10}$/.exec(key) ?? [];
  const [, area, brazilian] = /^\+55(\d{2})9([6-9]\d{7})$/.exec(key) ?? [];
  const others = [
    ...(argentine === undefined ? [] : [`+54${argentine}`]),
    ...(area === undefined || brazilian === undefined ? [] : [`+55${area}${brazilian}`]),
  ];
  // Others were never accepted as numbers, so no row has them.
  return [key, ...others.filter((other) => factsOf(other)?.isValid === true)];
}

/** Whether two numbers reach one phone. */
export const samePhone = (a: string, b: string): boolean => a === b || phoneKey(a) === phoneKey(b);

const refused = (problem: string): ParsedPhone => ({ ok: false, problem });

/** The countries of each calling code. */
const countries = new Map<string, string[]>();

function countriesOf(callingCode: string): readonly string[] {
  if (countries.size === 0)
    for (const country of getCountries()) {
      const code = getCountryCallingCode(country);
      countries.set(code, [...(countries.get(code) ?? []), country]);
    }
  return countries.get(callingCode) ?? [];
}

/**
 * The country whose calling code a number begins with, if no other country has that code. No code is a prefix of
 * another (ITU-T E.164).
 */
function soleCountry(number: string): string | null {
  for (const digits of [1, 2, 3]) {
    const [country, ...others] = countriesOf(number.slice(1, 1 + digits));
    if (country !== undefined) return others.length === 0 ? country : null;
  }
  return null;
}

/** The country of an E.164 number, ISO 3166-1 alpha-2; null for numbers of no country, such as +800. */
export const countryOf = (number: string): string | null => soleCountry(number) ?? factsOf(number)?.country ?? null;

/**
 * Whether a code is that of a country with phone numbers, as `countryOf` names it. This includes XK (Kosovo), which ISO
 * 3166-1 does not assign.
 */
export const hasPhoneNumbers = (country: string): boolean => isSupportedCountry(country);

/** The country calling code of an E.164 number, without the plus sign; empty if it is not a number. */
export const callingCodeOf = (number: string): string => factsOf(number)?.callingCode ?? '';

/** A number of a call, which the schema has checked, in E.164. @throws invalid_input naming the field */
export function readPhone(field: string, given: string): string {
  const parsed = parsePhone(given);
  if (!parsed.ok) throw invalidField(field, parsed.problem);
  return parsed.number;
}
