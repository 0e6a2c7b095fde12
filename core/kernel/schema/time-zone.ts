import { nearest } from '#config/nearest.js';
import { timeZoneLinks } from './time-zone-links.js';

const longestName = 64;
const known: { names?: ReadonlySet<string>; byLowerCase?: ReadonlyMap<string, string> } = {};

/** All names, collected when the first one is checked. */
const names = (): ReadonlySet<string> =>
  (known.names ??= new Set([...Intl.supportedValuesOf('timeZone'), ...timeZoneLinks]));

/**
 * Checks the name of a time zone, which must be written as the IANA database writes it. Offsets such as +01:00 are not
 * names.
 * @returns what is wrong with it, as the end of a sentence about it; undefined if it is valid
 */
export function timeZoneProblem(name: string): string | undefined {
  if (names().has(name)) return undefined;
  const guess = name.length > longestName ? undefined : similarName(name);
  const hint = guess === undefined ? '' : ` (did you mean ${guess}?)`;
  return `must be the exact name of an IANA time zone such as Europe/Berlin${hint}`;
}

function similarName(name: string): string | undefined {
  known.byLowerCase ??= new Map([...names()].map((exact) => [exact.toLowerCase(), exact]));
  return known.byLowerCase.get(name.toLowerCase()) ?? nearest(name, [...names()]);
}
