import { idForm } from '#core/runtime/id-form.js';
import { at } from '#core/runtime/json.js';
import { painter } from './colours.js';
import { oneLine } from './sanitize.js';
import { relativeTime } from './times.js';
import { wholeText } from './whole-values.js';

export type Row = Readonly<Record<string, unknown>>;

/** Formats a value on one line. @param time how the server's times are shown */
export function cell(value: unknown, time: (text: string) => string = relativeTime): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'string') return value === '' ? '""' : oneLine(time(value));
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((each: unknown) => cell(each, time)).join(', ');
  return oneLine(wholeText(value) ?? JSON.stringify(value));
}

const gap = '  ';
const maxNames = 10;

const namesOf = (names: readonly string[]): string =>
  [...names.slice(0, maxNames), ...(names.length > maxNames ? [`${names.length - maxNames} more`] : [])].join(', ');

/** The minimum that is shown of a text that was cut. */
const leastWidth = 15;
const anyId = new RegExp(idForm, 'i');
/** Ids are for copying: part of one is of no use. */
const isCut = (text: string): boolean => !anyId.test(text);

interface Column {
  readonly name: string;
  /** The field, if no other column shows a part of it. */
  readonly heading: string;
  readonly cells: readonly string[];
  readonly width: number;
  /** The least that it can be cut to. */
  readonly least: number;
}

function columnOf(rows: readonly Row[], name: string, columns: readonly string[]): Column {
  const [field = name] = name.split('.');
  const heading = columns.some((each) => each !== name && each.startsWith(`${field}.`)) ? name : field;
  const cells = rows.map((row) => cell(name in row ? row[name] : at(row, ...name.split('.'))));
  const widest = Math.max(heading.length, ...cells.map((each) => each.length));
  const whole = Math.max(heading.length, ...cells.filter((each) => !isCut(each)).map((each) => each.length));
  return { name, heading, cells, width: widest, least: Math.min(widest, Math.max(whole, leastWidth)) };
}

const sumOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width + gap.length, -gap.length);

/**
 * The columns that fit into a width: first those without a value in any row are dropped, then long texts are cut, then
 * columns are dropped from the right. Two columns always stay.
 */
function fitting(all: readonly Column[], width: number): readonly Column[] {
  const shown = [...all];
  const dropLast = (isDropped: (column: Column) => boolean): boolean => {
    const index = shown.findLastIndex((column, place) => place >= 2 && isDropped(column));
    if (index !== -1) shown.splice(index, 1);
    return index !== -1;
  };
  const isTooWide = (): boolean => sumOf(shown.map((column) => column.width)) > width;
  while (isTooWide() && dropLast(({ cells }) => cells.every((each) => each === '-')));
  if (!isTooWide()) return shown;
  while (sumOf(shown.map(({ least }) => least)) > width && dropLast(() => true));
  // The remaining width goes to the first columns, which people look at first.
  let left = width - sumOf(shown.map(({ least }) => least));
  return shown.map((column) => {
    const more = Math.max(0, Math.min(left, column.width - column.least));
    left -= more;
    return { ...column, width: column.least + more };
  });
}

/**
 * Formats rows as a table.
 * @param columns fields of the rows, or paths to values in them: `counts.sent`
 * @param width of the terminal: long texts are cut and columns are dropped until the table fits; undefined for no limit
 * @param others other fields of the rows, which are only named
 */
export function table(
  rows: readonly Row[],
  columns: readonly string[],
  width: number | undefined,
  others: readonly string[] = [],
): string {
  const { bold, dim } = painter(process.stdout);
  const all = columns.map((name) => columnOf(rows, name, columns));
  const shown = width === undefined ? all : fitting(all, width);
  const dropped = [...columns.filter((name) => !shown.some((column) => column.name === name)), ...others];
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => cutTo(text, shown[index]?.width ?? 0).padEnd(shown[index]?.width ?? 0))
      .join(gap)
      .trimEnd();
  return [
    bold(line(shown.map(({ heading }) => heading))),
    ...rows.map((_, index) => line(shown.map(({ cells }) => cells[index] ?? ''))),
    ...(dropped.length > 0 ? [dim(`(not shown: ${namesOf(dropped)}; use --json for all fields)`)] : []),
  ].join('\n');
}

/** A text of at most this many characters: a longer one ends in an ellipsis. */
const cutTo = (text: string, width: number): string =>
  text.length > width && isCut(text) ? `${text.slice(0, width - 1)}…` : text;
