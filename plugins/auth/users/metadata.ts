import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { anything, map, type Schema } from '#core/kernel/schema/schema.js';
import { jsonRecord } from '#core/runtime/database/json.js';

/** The largest number of keys in one metadata object. */
const maxKeys = 100;
/** The largest size of one metadata object, in bytes of JSON. */
const maxBytes = 16_384;
/** The maximum nesting depth of its values. */
const maxDepth = 20;

/** Metadata in an input: any JSON values under keys chosen by the caller. */
export const metadataInput = (description: string): Schema<Record<string, unknown>> =>
  map(
    anything(),
    `${description} Merged key by key; null removes a key. At most ${maxKeys} keys and ${maxBytes / 1024} KiB as JSON.`,
    {
      maxProperties: maxKeys,
      propertyNames: { type: 'string', minLength: 1, maxLength: 100 },
    },
  );

const isTooDeep = (value: unknown, depth = 1): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > maxDepth || Object.values(value).some((inner) => isTooDeep(inner, depth + 1)));

/**
 * Merges metadata key by key: a given key replaces the stored one as a whole, null removes it.
 * @param field the input's field, for refusals
 * @param stored JSON
 * @returns JSON with sorted keys, so that equal metadata is equal text
 * @throws invalid_input over 100 keys, 16 KiB or 20 levels
 */
export function mergeMetadata(
  field: string,
  stored: string,
  changes: Readonly<Record<string, unknown>> | undefined,
): string {
  if (changes === undefined) return stored;
  const invalid = (problem: string): Error => invalidField(field, problem);
  if (isTooDeep(changes)) throw invalid(`must not be nested deeper than ${maxDepth} levels`);
  const merged = new Map(Object.entries(jsonRecord(stored)));
  for (const [name, value] of Object.entries(changes)) merged.set(name, value);
  const kept = [...merged].filter(([, value]) => value !== null).sort(([a], [b]) => (a < b ? -1 : 1));
  if (kept.length > maxKeys) throw invalid(`would have ${kept.length} keys, but at most ${maxKeys} are allowed`);
  const json = JSON.stringify(Object.fromEntries(kept));
  if (Buffer.byteLength(json) > maxBytes) throw invalid(`would be larger than ${maxBytes / 1024} KiB as JSON`);
  return json;
}
