/** Whether the value is a JSON object: not an array, not null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path within parsed JSON; undefined if there is none. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((part, name) => (isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined), value);
