import { painter } from './colours.js';
import { cell, table, type Row } from './table.js';
import { fullTime } from './times.js';
import { isWhole } from './whole-values.js';

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isWhole(Object.keys(value));
export const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);
export const isShort = (value: unknown): boolean => !isRow(value) && !isRows(value);

/** The names of the fields of all rows, without duplicates. */
export const fieldsOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

/** The width that lists inside objects have without a terminal. */
const defaultWidth = 100;

/**
 * Formats an object: its values, then each list in it under its name. @param path of the object, before the lists'
 * names
 */
export function block(row: Row, indent: string, path: string): string {
  const { bold } = painter(process.stdout);
  const lists = listsOf(row, path).map(([name, rows]) => `${bold(name)}\n${list(rows)}`);
  return [pairs(row, indent, false), ...lists].filter((text) => text !== '').join('\n\n');
}

function listsOf(row: Row, path: string): [string, readonly Row[]][] {
  return Object.entries(row).flatMap(([name, value]): [string, readonly Row[]][] =>
    isRows(value) ? [[`${path}${name}`, value]] : isRow(value) ? listsOf(value, `${path}${name}.`) : [],
  );
}

/** A table if it fits, otherwise each row as names and values, so that the values can be copied. */
function list(rows: readonly Row[]): string {
  const width = process.stdout.isTTY ? process.stdout.columns : defaultWidth;
  const text = table(rows, fieldsOf(rows), undefined);
  const isFlat = rows.every((row) => Object.values(row).every(isShort));
  return isFlat && widestOf(text) <= width ? text : rows.map((row) => pairs(row, '  ')).join('\n\n');
}

const widestOf = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

/**
 * Lists names and values. Nested fields get names with dots.
 * @param withLists shows lists of objects too, as JSON
 */
export function pairs(row: Row, indent: string, withLists = true): string {
  const { dim, yellow } = painter(process.stdout);
  const flat = flatten(row, '')
    .filter(([, value]) => withLists || !isRows(value))
    .map(([name, value]): [string, string] => [name, cell(value, fullTime)]);
  const widest = Math.max(0, ...flat.map(([name]) => name.length));
  // The next step of a refusal inside a reply, such as blocked.fix.
  const shown = (name: string, value: string): string => (name.endsWith('.fix') ? yellow(value) : value);
  return flat.map(([name, value]) => `${indent}${dim(name.padEnd(widest))}  ${shown(name, value)}`).join('\n');
}

function flatten(row: Row, prefix: string): [string, unknown][] {
  return Object.entries(row).flatMap(([name, value]): [string, unknown][] =>
    isRow(value) && Object.keys(value).length > 0 ? flatten(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value]],
  );
}
