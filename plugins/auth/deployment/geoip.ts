import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Reader, type CityResponse } from 'maxmind';

/** Where an IP address is, as text for people; null where the file does not know it. */
export type Locate = (ip: string) => string | null;

/**
 * Reads SVC_GEOIP_FILE into memory.
 * @param path a file in the MaxMind DB format with cities or countries
 * @throws Error whose message completes “SVC_GEOIP_FILE …”
 */
export function openGeoip(path: string): Locate {
  const reader = parse(read(path));
  return (ip) => {
    if (isIP(ip) === 0) return null;
    const found = reader.get(ip);
    const place = [found?.city?.names.en, found?.country?.names.en].filter((name) => name !== undefined).join(', ');
    return place === '' ? null : place.slice(0, 200);
  };
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Error(`names a file that cannot be read (${code})`);
  }
}

function parse(file: Buffer): Reader<CityResponse> {
  try {
    const reader = new Reader<CityResponse>(file);
    reader.get('192.0.2.1');
    return reader;
  } catch {
    throw new Error('names a file that is not in the MaxMind DB format (.mmdb)');
  }
}
