export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** What stands at a path of names within parsed JSON; undefined where the path leads nowhere. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), value);

/** The object at a path; an empty one where there is none. */
export function recordAt(value: unknown, ...path: string[]): Record<string, unknown> {
  const part = at(value, ...path);
  return isRecord(part) ? part : {};
}

/** A part of a document, or what it refers to by `$ref`. */
export function resolved(document: unknown, part: unknown): unknown {
  const reference = at(part, '$ref');
  return typeof reference === 'string' ? at(document, ...reference.slice(2).split('/')) : part;
}
