import { painter } from './colours.js';
import { oneLine } from './plain.js';

export type Row = Readonly<Record<string, unknown>>;

/** A value on one line, for people. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'string') return value === '' ? '""' : oneLine(asTime(value));
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((each: unknown) => cell(each)).join(', ');
  return oneLine(JSON.stringify(value));
}

/** Times of the server read better without their milliseconds. */
const asTime = (text: string): string => text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2Z');

const gap = '  ';

/**
 * Rows under the names of their columns.
 * @param width of the terminal: columns from the right are left out until the rest fits; undefined for no limit
 */
export function table(rows: readonly Row[], columns: readonly string[], width: number | undefined): string {
  const { bold, dim } = painter(process.stdout);
  const shown = columns.map((name) => {
    const cells = rows.map((row) => cell(row[name]));
    return { name, cells, width: Math.max(name.length, ...cells.map((each) => each.length)) };
  });
  const total = (): number => shown.reduce((sum, column) => sum + column.width + gap.length, -gap.length);
  const left: string[] = [];
  while (width !== undefined && shown.length > 2 && total() > width) left.unshift(shown.pop()?.name ?? '');
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => text.padEnd(shown[index]?.width ?? 0))
      .join(gap)
      .trimEnd();
  return [
    bold(line(shown.map(({ name }) => name))),
    ...rows.map((_, index) => line(shown.map(({ cells }) => cells[index] ?? ''))),
    ...(left.length > 0 ? [dim(`(not shown here: ${left.join(', ')}; --json has everything)`)] : []),
  ].join('\n');
}
