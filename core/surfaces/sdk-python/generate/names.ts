/* Names of fields, groups and operations in Python. */

const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** A name of the interface in snake_case: `clientDataJSON` is client_data_json. */
const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

/**
 * The Python name of a field, group or operation: `replyTo` is reply_to. Names that Python or the SDK uses itself get
 * an underscore at their end: `from` is from_.
 * @param taken names that the SDK uses at this place
 */
export function pythonName(name: string, taken: readonly string[] = []): string {
  const text = snake(name)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^(?=[0-9_])/, 'n');
  return keywords.has(text) || taken.includes(text) ? `${text}_` : text;
}

/** Options of every call. */
export const optionNames = ['idempotency_key', 'timeout', 'environment_id'];
/** Names that arguments, groups and methods must not have. */
export const takenNames = ['self', ...optionNames];

/** The interface's name of a Python name, as svc_sdk/_names.py computes it. */
const computedWireName = (name: string): string =>
  name.replace(/_+$/, '').replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The names of all fields. */
export interface FieldNames {
  /** @throws Error if another field has the same name in Python and one of them cannot be computed from it */
  of(field: string, taken?: readonly string[]): string;
  /** The fields whose interface names cannot be computed from their Python names, by the Python name. */
  unusual(): ReadonlyMap<string, string>;
}

export function createFieldNames(): FieldNames {
  const fields = new Map<string, string>();
  return {
    of(field, taken) {
      const name = pythonName(field, taken);
      const known = fields.get(name) ?? field;
      if (known !== field) throw new Error(`In Python, ${known} and ${field} would both be ${name}.`);
      fields.set(name, field);
      return name;
    },
    unusual: () => new Map([...fields].filter(([name, field]) => computedWireName(name) !== field)),
  };
}
