export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The value at a path of names in parsed JSON; undefined if there is none. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), value);

/** The object at a path; an empty one if there is none. */
export function recordAt(value: unknown, ...path: string[]): Record<string, unknown> {
  const part = at(value, ...path);
  return isRecord(part) ? part : {};
}

/** The list at a path; an empty one if there is none. */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const part = at(value, ...path);
  return Array.isArray(part) ? part : [];
}

/** The part itself, or the part of the document that its `$ref` refers to. */
export function resolved(document: unknown, part: unknown): unknown {
  const reference = at(part, '$ref');
  return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : part;
}
