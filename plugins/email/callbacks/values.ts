/** The texts of a JSON value that is one text or a list of them. */
export const textsOf = (...values: readonly unknown[]): string[] =>
  values.flat().filter((each) => typeof each === 'string');

/** A time of RFC 3339 or in seconds since 1970; null for anything else. */
export function timeOf(value: unknown): Date | null {
  const time = typeof value === 'number' ? new Date(value * 1_000) : typeof value === 'string' ? new Date(value) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}

/** The bare address in `Ada <ada@example.com>`, or the text itself. */
export const bareAddress = (text: string): string => /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.trim();
