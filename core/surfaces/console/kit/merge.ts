import type { Row } from './state.js';

/* What two people have changed since both read the same thing. */

/** A field that both have changed, to different values. */
export interface Conflict {
  /** Its names from the top: `properties`, `plan`. */
  readonly path: readonly string[];
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merged {
  /** Both changes. If both have changed a field, it has my value. */
  readonly value: Row;
  readonly conflicts: readonly Conflict[];
  /** The paths that only the other person has changed. */
  readonly taken: readonly (readonly string[])[];
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Databases do not keep the order of an object's fields. */
const textOf = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, each: unknown) =>
    isRow(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

export const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

/**
 * Merges field by field, in objects too; a list and a text are one value.
 * @param base what both began from
 */
export function mergeOf(base: Row, mine: Row, theirs: Row, at: readonly string[] = []): Merged {
  const value: Record<string, unknown> = {};
  const conflicts: Conflict[] = [];
  const taken: (readonly string[])[] = [];
  for (const name of new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)])) {
    const path = [...at, name];
    const [was, my, their] = [base[name], mine[name], theirs[name]];
    const set = (chosen: unknown): void => {
      if (chosen !== undefined) value[name] = chosen;
    };
    if (isSame(my, their) || isSame(was, their)) set(my);
    else if (isSame(was, my)) {
      set(their);
      taken.push(path);
    } else if (isRow(was) && isRow(my) && isRow(their)) {
      const inside = mergeOf(was, my, their, path);
      set(inside.value);
      conflicts.push(...inside.conflicts);
      taken.push(...inside.taken);
    } else {
      set(my);
      conflicts.push({ path, mine: my, theirs: their });
    }
  }
  return { value, conflicts, taken };
}

/** A row with the value at a path replaced; undefined removes it. */
export function withValue(row: Row, [name = '', ...rest]: readonly string[], value: unknown): Row {
  const { [name]: below, ...others } = row;
  const next = rest.length === 0 ? value : withValue(isRow(below) ? below : {}, rest, value);
  return next === undefined ? others : { ...row, [name]: next };
}

/** The fields at the top that differ. One that is gone is null. */
export const changesSince = (base: Row, value: Row): Row =>
  Object.fromEntries(
    [...new Set([...Object.keys(base), ...Object.keys(value)])]
      .filter((name) => !isSame(base[name], value[name]))
      .map((name) => [name, value[name] ?? null]),
  );
