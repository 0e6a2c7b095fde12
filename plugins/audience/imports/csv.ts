import { counted } from '#config/counted.js';
import { Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { createTypeDetector, parsersOf, type CellParser } from './column-types.js';
import { matchHeader, maxColumns, normalizeColumn, targetsOf, type Target } from './columns.js';
import type { RawRow } from './row.js';

const delimiters = [',', ';', '\t', '|'] as const;
/** A first line that tells Excel the delimiter. It is not part of the table. */
const separatorLine = /^\uFEFF?"?sep=([,;\t|])"?[ \t]*(?:\r\n|\r|\n)/i;
/** Bytes parsed before other requests get a turn: the parser takes 0.3 µs for each (measured). */
const chunkBytes = 16 * 1024;
/** Characters in which the header line must end. */
const maxHeaderLength = 128 * 1024;

const invalid = (problem: string): Error => invalidField('csv', problem);

/**
 * RFC 4180 and what spreadsheets write: a byte order mark, any line ends, blank lines, quotes within a cell. Rows of another length are
 * accepted here and rejected one by one later.
 */
const parserOptions: Options = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };

/** The refusal for an error of the parser: it cannot go on after a quote that is never closed. */
function parseErrorOf(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  return invalid(error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'has a quote that is never closed' : 'cannot be parsed');
}

async function headerWith(delimiter: string, csv: string, holder: string): Promise<readonly string[]> {
  try {
    for await (const cells of linesOf(csv, holder, { delimiter, to: 1 })) return cells;
  } catch {
    // With another delimiter the quotes of the header line may be valid.
  }
  return [];
}

/**
 * Parses the header line with each delimiter and takes the one that finds most of the named columns.
 * @throws invalid_input for a header line of more than 1,000 columns
 */
async function readHeader(
  csv: string,
  columns: ReadonlyMap<string, unknown>,
  separator: string | undefined,
  holder: string,
): Promise<{ delimiter: string; header: readonly string[] }> {
  let best: { delimiter: string; header: readonly string[]; known: number } = { delimiter: ',', header: [], known: 0 };
  for (const delimiter of separator === undefined ? delimiters : [separator]) {
    const header = await headerWith(delimiter, csv, holder);
    const known = header.filter((name) => columns.has(normalizeColumn(name))).length;
    if (known > best.known || (known === best.known && header.length > best.header.length))
      best = { delimiter, header, known };
  }
  if (best.header.length > maxColumns)
    throw invalid(`has ${best.header.length} columns in its header line, and may have ${maxColumns}`);
  return best;
}

/** The file in chunks, with a turn for other requests between them. */
async function* chunksOf(csv: string, holder: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(csv);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    yield bytes.subarray(at, at + chunkBytes);
    await takeTurn(holder);
  }
}

/** For each column, where its cells go; undefined for a column to ignore. */
type Targets = readonly (Target | undefined)[];

function rowOf(cells: readonly string[], targets: Targets, parsers: readonly CellParser[]): RawRow {
  if (cells.length !== targets.length)
    return `has ${counted(cells.length, 'cell')}, but the header line has ${targets.length}`;
  const row: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  for (const [index, target] of targets.entries()) {
    const cell = cells[index]?.trim() ?? '';
    if (!target || cell === '') continue;
    if (target.property === undefined) row[target.field] = cell;
    else properties[target.property] = parsers[index]?.(cell) ?? cell;
  }
  return Object.keys(properties).length > 0 ? { ...row, properties } : row;
}

const isCells = (value: unknown): value is string[] => Array.isArray(value);

/** The cells of each line. @param options the delimiter, and which lines */
async function* linesOf(
  csv: string,
  holder: string,
  options: Pick<Options, 'delimiter' | 'from' | 'to'>,
): AsyncGenerator<readonly string[]> {
  const parser = parse({ ...parserOptions, ...options });
  const source = Readable.from(chunksOf(csv, holder));
  source.pipe(parser);
  try {
    for await (const cells of parser) if (isCells(cells)) yield cells;
  } catch (error) {
    throw parseErrorOf(error);
  } finally {
    source.destroy();
  }
}

/**
 * Detects the type of each property column over the whole file. The file is parsed twice for this: keeping the parsed rows of a 32 MiB CSV
 * until the last one is seen would take several times its size.
 */
async function detectParsers(
  csv: string,
  delimiter: string,
  targets: Targets,
  { maxRows, holder }: ReadTableOptions,
): Promise<readonly CellParser[]> {
  const detector = createTypeDetector(targets.map((target) => target?.property !== undefined));
  if (detector.isDone()) return parsersOf(detector.types);
  let rows = 0;
  for await (const cells of linesOf(csv, holder, { delimiter, from: 2 })) {
    if (cells.length === targets.length) detector.add(cells);
    rows += 1;
    // A file of more rows is refused.
    if (detector.isDone() || rows > maxRows) break;
  }
  return parsersOf(detector.types);
}

/** A CSV as a table. */
export interface CsvTable {
  /** Columns of the header line that no field was named for. */
  readonly ignoredColumns: readonly string[];
  /** The rows below the header line; each can be read once. */
  readonly rows: AsyncGenerator<RawRow>;
}

export interface ReadTableOptions {
  /** Rows that the caller takes; types are not detected beyond them. */
  maxRows: number;
  /** Whom the parsing counts for, see takeTurn. */
  holder: string;
}

/**
 * Reads a CSV. Empty cells are left out; the values of a property column are booleans or
 * numbers if all of its cells are, texts otherwise.
 * @param columns {<column>: field}
 * @throws invalid_input naming the column or `csv`
 */
export async function readTable(
  csv: string,
  columns: Readonly<Record<string, string>>,
  options: ReadTableOptions,
): Promise<CsvTable> {
  const { holder } = options;
  const byColumn = targetsOf(columns);
  const separator = separatorLine.exec(csv.slice(0, 100));
  const table = separator ? csv.slice(separator[0].length) : csv;
  const { delimiter, header } = await readHeader(table.slice(0, maxHeaderLength), byColumn, separator?.[1], holder);
  const targets = matchHeader(header, byColumn);
  const parsers = await detectParsers(table, delimiter, targets, options);
  const ignoredColumns = header.filter((_, index) => targets[index] === undefined);
  return { ignoredColumns, rows: rowsOf(linesOf(table, holder, { delimiter, from: 2 }), targets, parsers) };
}

async function* rowsOf(
  lines: AsyncGenerator<readonly string[]>,
  targets: Targets,
  parsers: readonly CellParser[],
): AsyncGenerator<RawRow> {
  for await (const cells of lines) yield rowOf(cells, targets, parsers);
}
