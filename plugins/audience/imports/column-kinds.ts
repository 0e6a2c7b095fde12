import type { PropertyValue } from '../contacts/value-key.js';

/*
 * One kind for a whole column: were each cell read by itself, the postcode 01067 would be a text beside the number 10115, and values of
 * different kinds never compare.
 */

/** What all cells of a column are so far; undefined before the first one that says something. */
export type ColumnKind = 'number' | 'boolean' | 'text' | undefined;

/** Makes a cell's text its value. */
export type ColumnValue = (cell: string) => PropertyValue;

/** With a leading zero it is a postcode or a number of an article. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** A double holds that many digits exactly. */
const mostDigits = 15;
const truth = /^(?:true|false)$/i;

function kindOf(cell: string): ColumnKind {
  if (truth.test(cell)) return 'boolean';
  return plainNumber.test(cell) && cell.replace(/\D/g, '').length <= mostDigits ? 'number' : 'text';
}

/** Looks at rows, one after another. */
export interface KindFinder {
  kinds: readonly ColumnKind[];
  look(cells: readonly string[]): void;
  /** Further rows cannot change anything. */
  isDone(): boolean;
}

/** @param asked for each column, whether its kind is wanted; the others are texts */
export function kindFinder(asked: readonly boolean[]): KindFinder {
  const kinds: ColumnKind[] = asked.map((each) => (each ? undefined : 'text'));
  const open = new Set(asked.flatMap((each, index) => (each ? [index] : [])));
  return {
    kinds,
    look(cells) {
      for (const index of open) {
        const cell = cells[index]?.trim() ?? '';
        if (cell === '') continue;
        const kind = kindOf(cell);
        kinds[index] = kinds[index] === undefined || kinds[index] === kind ? kind : 'text';
        if (kinds[index] === 'text') open.delete(index);
      }
    },
    isDone: () => open.size === 0,
  };
}

const readers = {
  number: (cell: string) => Number(cell),
  boolean: (cell: string) => cell.toLowerCase() === 'true',
  text: (cell: string) => cell,
} as const;

/** How the cells of each column are read. */
export const valuesOf = (kinds: readonly ColumnKind[]): readonly ColumnValue[] =>
  kinds.map((kind) => readers[kind ?? 'text']);
