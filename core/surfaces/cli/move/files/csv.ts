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

/** The rows below the header line. @throws CliError naming the line and column that cannot be read */
export async function* tableRows(entry: Entry): AsyncGenerator<TableRow> {
  let header: readonly string[] | undefined;
  for await (const { record, line } of parsed(entry)) {
    if (!header) {
      header = record.map((name) => name.trim());
      continue;
    }
    yield {
      place: { file: entry.name, line },
      cells: new Map(header.map((name, index) => [name, record[index]?.trim() ?? ''])),
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

function rowOf(row: unknown): ParsedRow {
  const record = isRecord(row) && Array.isArray(row['record']) ? row['record'].map(String) : [];
  const info = isRecord(row) && isRecord(row['info']) ? row['info'] : {};
  const breaks = record.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
  return { record, line: Number(info['lines']) - breaks };
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
