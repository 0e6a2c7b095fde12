import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { ProviderNumber, WantedNumber } from '../providers/provider.js';

type Place = Pick<WantedNumber, 'country' | 'areaCode'>;

/**
 * Whether a number belongs to a country. +1 500 and other numbers that belong to no country match every country that
 * shares the code.
 */
function isOfCountry({ country }: Place, number: string): boolean {
  const found = parsePhoneNumberFromString(number)?.country;
  return found === undefined || found === country;
}

const isOfArea = ({ areaCode }: Place, number: string): boolean =>
  areaCode === undefined || parsePhoneNumberFromString(number)?.nationalNumber.startsWith(areaCode) === true;

/** Why no number can match the request, as the end of a sentence about the number; null if one can. */
export function problemOf(wanted: WantedNumber): string | null {
  const { country, areaCode = '', number } = wanted;
  if (number === undefined) return null;
  if (!isOfCountry(wanted, number)) return `is not a number in ${country}: leave it out, or set its country`;
  return isOfArea(wanted, number) ? null : `does not have the area code ${areaCode}: leave one of the two out`;
}

/** Whether a number matches the request. */
export function satisfies(wanted: WantedNumber, found: ProviderNumber): boolean {
  const { number, capabilities } = wanted;
  return (
    isOfCountry(wanted, found.number) &&
    isOfArea(wanted, found.number) &&
    (number === undefined || found.number === number) &&
    capabilities.every((each) => found.capabilities.includes(each))
  );
}

/** States that no number matches the request. */
export function noneOf({ country, areaCode, number, capabilities }: WantedNumber): string {
  if (number !== undefined) return `${number} is not available`;
  const area = areaCode === undefined ? '' : ` with area code ${areaCode}`;
  return `there is no ${country} number${area} that supports ${capabilities.join(' and ')}`;
}
