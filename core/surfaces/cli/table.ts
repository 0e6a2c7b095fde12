import { painter } from './colours.js';
import { oneLine } from './sanitize.js';

export type Row = Readonly<Record<string, unknown>>;

/** Formats a value on one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'string') return value === '' ? '""' : oneLine(shortTime(value));
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((each: unknown) => cell(each)).join(', ');
  return oneLine(JSON.stringify(value));
}

/** Shortens the server's times: no milliseconds. */
const shortTime = (text: string): string => text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2Z');

const gap = '  ';

/**
 * Formats rows as a table.
 * @param width of the terminal: columns are dropped from the right until the table fits; undefined for no limit
 */
export function table(rows: readonly Row[], columns: readonly string[], width: number | undefined): string {
  const { bold, dim } = painter(process.stdout);
  const shown = columns.map((name) => {
    const cells = rows.map((row) => cell(row[name]));
    return { name, cells, width: Math.max(name.length, ...cells.map((each) => each.length)) };
  });
  const total = (): number => shown.reduce((sum, column) => sum + column.width + gap.length, -gap.length);
  const dropped: string[] = [];
  while (width !== undefined && shown.length > 2 && total() > width) dropped.unshift(shown.pop()?.name ?? '');
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => text.padEnd(shown[index]?.width ?? 0))
      .join(gap)
      .trimEnd();
  return [
    bold(line(shown.map(({ name }) => name))),
    ...rows.map((_, index) => line(shown.map(({ cells }) => cells[index] ?? ''))),
    ...(dropped.length > 0 ? [dim(`(not shown: ${dropped.join(', ')}; use --json for all fields)`)] : []),
  ].join('\n');
}
