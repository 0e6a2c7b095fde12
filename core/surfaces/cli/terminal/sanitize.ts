/**
 * Replaces control characters: text from elsewhere must not send escape sequences to the terminal. Line breaks stay.
 */
export const sanitize = (text: string): string => text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd');

/** The same on one line. */
export const oneLine = (text: string): string => sanitize(text.replace(/[\r\n\t]+/g, ' '));

/** The same of the names of fields, at every depth: names of metadata and of properties are of the callers' making. */
export function withPlainNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [oneLine(name), withPlainNames(inner)]));
}
