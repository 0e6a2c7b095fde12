import { pythonName } from '../../names.js';

/* Names of fields in Python. */

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
