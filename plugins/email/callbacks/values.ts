import { at } from '#core/surfaces/json.js';

/** The text at a path within JSON; null when there is none. Numbers are taken as their digits. */
export function textAt(value: unknown, ...path: string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : null;
}

/** The list at a path within JSON; empty when there is none. */
export function listAt(value: unknown, ...path: string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The texts of a JSON value that is one text or a list of them. */
export const textsOf = (...values: readonly unknown[]): string[] =>
  values.flat().filter((each) => typeof each === 'string');

/** A time of RFC 3339 or in seconds since 1970; null when it is neither. */
export function timeOf(value: unknown): Date | null {
  const time = typeof value === 'number' ? new Date(value * 1_000) : typeof value === 'string' ? new Date(value) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}

/** The bare address in `Ada <ada@example.com>`, or the text itself. */
export const bareAddress = (text: string): string => /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.trim();
