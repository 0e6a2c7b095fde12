/** Whether a parsed JSON value is an object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a stored JSON object. */
export function parseRecord(json: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(json);
  return isRecord(parsed) ? parsed : {};
}
