import { isRecord } from '../json.js';

/**
 * The strings of a JSON column that holds a list of strings. The driver returns JSON parsed or as text, by server and
 * version.
 */
export function jsonTexts(stored: unknown): string[] {
  const value: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** The fields of a JSON column that holds an object; none if it holds something else. Parsed or as text, as above. */
export function jsonRecord(stored: unknown): Readonly<Record<string, unknown>> {
  const value: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored;
  return isRecord(value) ? value : {};
}
