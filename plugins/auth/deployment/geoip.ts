import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Reader, type CityResponse } from 'maxmind';
import type { Language, Translations } from '#core/kernel/language.js';

/**
 * The location of an IP address, as text for people, in English if the file has no names in the language; null if the
 * file does not contain the address.
 */
export type Locate = (ip: string, language: Language) => string | null;

/** The file's tags for svc's languages. Its Portuguese names are Brazilian. */
const tags: Translations<'en' | 'de' | 'fr' | 'es' | 'pt-BR'> = { en: 'en', de: 'de', fr: 'fr', es: 'es', pt: 'pt-BR' };

/**
 * Reads SVC_GEOIP_FILE into memory.
 * @param path a file in the MaxMind DB format with cities or countries
 * @throws Error whose message completes “SVC_GEOIP_FILE …”
 */
export function openGeoip(path: string): Locate {
  const reader = parse(read(path));
  return (ip, language) => {
    if (isIP(ip) === 0) return null;
    const found = reader.get(ip);
    const names = [found?.city?.names, found?.country?.names].map((each) => each?.[tags[language]] ?? each?.en);
    const place = names.filter((name) => name !== undefined).join(', ');
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
