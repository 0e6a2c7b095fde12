import { invalidField } from '../errors/invalid-field.js';
import {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

export type ParsedPhone = { ok: true; number: string } | { ok: false; problem: string };

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
const international = /^\+[\d\s().\-\u00a0]{6,30}$/;

/**
 * Reads one phone number in international form and normalizes it to E.164 (ITU-T E.164: `+` and at most 15 digits).
 * @param text as a person typed it: `+49 1512 3456789` and `+4915123456789` are one number
 * @returns the number to store and to send to, or what is wrong with it, as the end of a sentence about it
 */
export function parsePhone(text: string): ParsedPhone {
  if (!international.test(text))
    return refused(
      'must be one phone number in international form, with + and the country code, such as +4915123456789',
    );
  const facts = factsOf(text);
  return facts?.isValid === true
    ? { ok: true, number: facts.number }
    : refused('is not a phone number that exists in its country');
}

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
