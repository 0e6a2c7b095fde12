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

/**
 * Formats rows as a table.
 * @param width of the terminal: columns are dropped from the right until the table fits; undefined for no limit
 * @param others further fields of the rows, which are only named
 */
export function table(
  rows: readonly Row[],
  columns: readonly string[],
  width: number | undefined,
  others: readonly string[] = [],
): string {
  const { bold, dim } = painter(process.stdout);
  const shown = columns.map((name) => {
    const cells = rows.map((row) => cell(row[name]));
    return { name, cells, width: Math.max(name.length, ...cells.map((each) => each.length)) };
  });
  const total = (): number => shown.reduce((sum, column) => sum + column.width + gap.length, -gap.length);
  const dropped = [...others];
  while (width !== undefined && shown.length > 2 && total() > width) dropped.unshift(shown.pop()?.name ?? '');
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => text.padEnd(shown[index]?.width ?? 0))
      .join(gap)
      .trimEnd();
  return [
    bold(line(shown.map(({ name }) => name))),
    ...rows.map((_, index) => line(shown.map(({ cells }) => cells[index] ?? ''))),
    ...(dropped.length > 0 ? [dim(`(not shown: ${namesOf(dropped)}; use --json for all fields)`)] : []),
  ].join('\n');
}
