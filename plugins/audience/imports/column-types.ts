import type { PropertyValue } from '../contacts/value-key.js';

/*
 * A CSV column has one type for all its cells. If each cell were typed separately, the postcode 01067 would be a text
 * and 10115 a number, and values of different kinds never compare.
 */

/** The type of the cells seen so far; undefined before the first non-empty cell. */
type ColumnType = 'number' | 'boolean' | 'text' | undefined;

/** Parses a cell of a column. */
export type CellParser = (cell: string) => PropertyValue;

/** Precedes a cell that was in quotes. It is not a character (Unicode §23.7), so no cell begins with it. */
export const quotedMark = '\uFFFF';

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const booleanText = /^(?:true|false)$/i;

/**
 * A number prints as it was written. 007, 1.10 and 12345678901234567890 would not: they are article numbers, versions
 * and ids. Digits in quotes are meant as text.
 */
const isNumber = (cell: string): boolean => plainNumber.test(cell) && String(Number(cell)) === cell;

function typeOf(cell: string): ColumnType {
  const isQuoted = cell.startsWith(quotedMark);
  if (booleanText.test(isQuoted ? cell.slice(1) : cell)) return 'boolean';
  return isNumber(cell) ? 'number' : 'text';
}

/** Determines the types of columns from their rows, one after the other. */
interface TypeDetector {
  types: readonly ColumnType[];
  add(cells: readonly string[]): void;
  /** Whether more rows cannot change the result. */
  isDone(): boolean;
}

/** @param detected for each column, whether to detect its type; the others are texts */
export function createTypeDetector(detected: readonly boolean[]): TypeDetector {
  const types: ColumnType[] = detected.map((each) => (each ? undefined : 'text'));
  const open = new Set(detected.flatMap((each, index) => (each ? [index] : [])));
  return {
    types,
    add(cells) {
      for (const index of open) {
        const cell = cells[index]?.trim() ?? '';
        if (cell === '') continue;
        const type = typeOf(cell);
        types[index] = types[index] === undefined || types[index] === type ? type : 'text';
        if (types[index] === 'text') open.delete(index);
      }
    },
    isDone: () => open.size === 0,
  };
}

const parsers = {
  number: (cell: string) => Number(cell),
  boolean: (cell: string) => cell.toLowerCase() === 'true',
  text: (cell: string) => cell,
} as const;

/** The parser of each column. */
export const parsersOf = (types: readonly ColumnType[]): readonly CellParser[] =>
  types.map((type) => parsers[type ?? 'text']);
