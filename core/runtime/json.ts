/** Whether the value is a JSON object: not an array, not null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path within parsed JSON; undefined if there is none. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((part, name) => (isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined), value);

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

/** @returns the value of a JSON text; undefined if it does not parse */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text without the byte order mark that PowerShell 5 and Excel write at the beginning of files. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
