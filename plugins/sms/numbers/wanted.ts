import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { ProviderNumber, WantedNumber } from '../providers/provider.js';

/** Whether a number is what was asked for. */
export function satisfies({ country, areaCode, number, capabilities }: WantedNumber, found: ProviderNumber): boolean {
  const parsed = parsePhoneNumberFromString(found.number);
  return (
    // +1 500 and other numbers that are of no country are of every one that shares the code.
    (parsed?.country === undefined || parsed.country === country) &&
    (areaCode === undefined || parsed?.nationalNumber.startsWith(areaCode) === true) &&
    (number === undefined || found.number === number) &&
    capabilities.every((each) => found.capabilities.includes(each))
  );
}

/** That what was asked for cannot be had: “there is no number of US in area 212 that sends sms”. */
export function noneOf({ country, areaCode, number, capabilities }: WantedNumber): string {
  if (number !== undefined) return `${number} cannot be had`;
  const area = areaCode === undefined ? '' : ` in area ${areaCode}`;
  return `there is no number of ${country}${area} that sends ${capabilities.join(' and ')}`;
}
