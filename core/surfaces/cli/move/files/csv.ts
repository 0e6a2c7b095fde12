import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { isRecord } from '#core/runtime/json.js';
import { CliError } from '../../errors.js';
import type { Place } from '../found.js';
import type { Entry } from './entry.js';
import { startOf, textOf } from './text.js';

/** A row of a table, by the names in its header line. */
export interface TableRow {
  readonly place: Place;
  readonly cells: ReadonlyMap<string, string>;
  /** The number of cells, if it is not that of the header line. */
  readonly unequal: number | undefined;
}

const delimiters = [',', ';', '\t'] as const;
/** Characters of a row: a larger one would be held in memory, and is a quote that is not closed. */
const maxRow = 1024 * 1024;

/** The names in the header line, trimmed. @throws CliError */
export async function headerOf(entry: Entry): Promise<string[]> {
  for await (const { record } of parsed(entry, 1)) return record.map((name) => name.trim());
  return [];
}

/** Names that differ, also without regard to case: `Plan`, `plan (2)`. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set(names.map((name) => name.toLowerCase()));
  const seen = new Set<string>();
  return names.map((name) => {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (!isRepeated) return name;
    let number = 2;
    while (taken.has(`${name} (${number})`.toLowerCase())) number++;
    taken.add(`${name} (${number})`.toLowerCase());
    return `${name} (${number})`;
  });
}

/**
 * The rows below the header line.
 * @param names of the columns, all different, in place of those in the header line
 * @throws CliError naming the line and column that cannot be read
 */
export async function* tableRows(entry: Entry, names?: readonly string[]): AsyncGenerator<TableRow> {
  let header: readonly string[] | undefined;
  for await (const { record, line } of parsed(entry)) {
    if (!header) {
      header = names ?? distinctNames(record.map((name) => name.trim()));
      continue;
    }
    const cells = new Map<string, string>();
    for (const [index, name] of header.entries()) cells.set(name, record[index]?.trim() ?? '');
    yield {
      place: { file: entry.name, line },
      cells,
      unequal: record.length === header.length ? undefined : record.length,
    };
  }
}

interface ParsedRow {
  readonly record: readonly string[];
  /** The line at which the row begins. */
  readonly line: number;
}

async function* parsed(entry: Entry, to?: number): AsyncGenerator<ParsedRow> {
  const parser = parse({
    bom: true,
    delimiter: await delimiterOf(entry),
    info: true,
    max_record_size: maxRow,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    ...(to === undefined ? {} : { to }),
  });
  // The parser is read below, and passes errors on.
  pipeline(Readable.from(textOf(entry)), parser, () => undefined);
  try {
    for await (const row of parser) yield rowOf(row);
  } catch (error) {
    throw error instanceof CsvError ? unreadableRow(entry, error) : error;
  }
}

const isText = (cell: unknown): cell is string => typeof cell === 'string';

function rowOf(row: unknown): ParsedRow {
  const found = isRecord(row) ? row['record'] : undefined;
  const info = isRecord(row) && isRecord(row['info']) ? row['info'] : {};
  const record = Array.isArray(found) && found.every(isText) ? found : [];
  let line = Number(info['lines']);
  // The parser states the line at which the row ends.
  for (const cell of record) if (cell.includes('\n')) line -= cell.split('\n').length - 1;
  return { record, line };
}

function unreadableRow({ name }: Entry, error: CsvError): CliError {
  const column = typeof error['column'] === 'number' ? `, column ${error['column'] + 1}` : '';
  const line = typeof error['lines'] === 'number' ? `, line ${error['lines']}` : '';
  const problem =
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'a quote is never closed'
      : error.code === 'CSV_MAX_RECORD_SIZE'
        ? `a row has more than ${maxRow} characters: a quote is not closed`
        : error.message;
  return new CliError(`${name}${line}${column}: ${problem}.`, 'Correct the line, or export the file again.');
}

/** The delimiter that the first line contains most. */
async function delimiterOf(entry: Entry): Promise<string> {
  const [line = ''] = (await startOf(entry)).split(/\r?\n/, 1);
  const counts = delimiters.map((each) => line.split(each).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}
