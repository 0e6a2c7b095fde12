import { counted } from '#config/counted.js';
import { Readable } from 'node:stream';
import { CsvError, parse, type CastingFunction, type Options } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { Holder } from '#core/runtime/holder.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { createTypeDetector, parsersOf, quotedMark, type CellParser } from './column-types.js';
import { matchHeader, maxColumns, normalizeColumn, targetsOf, type Target } from './columns.js';
import type { RawRow } from './row.js';
import { hasStrayQuote, lineEnd } from './stray-quote.js';

const delimiters = [',', ';', '\t', '|'] as const;
/** A first line that tells Excel the delimiter. It is not part of the table. */
const separatorLine = /^\uFEFF?"?sep=([,;\t|])"?[ \t]*(?:\r\n|\r|\n)/i;
/** Bytes that are parsed before other requests get a turn: the parser takes 0.3 µs for each (measured). */
const chunkBytes = 16 * 1024;
/** The header line must end within this number of characters. */
const maxHeaderLength = 128 * 1024;

const invalid = (problem: string): Error => invalidField('csv', problem);

/**
 * Characters of a row: more than the maximum of all fields of a contact together. A larger row would be held in memory
 * as a whole.
 */
const maxRowLength = 256 * 1024;

/**
 * RFC 4180 and what spreadsheets write: a byte order mark, any line ends, also several kinds in one file, blank lines,
 * quotes within a cell. Rows with another number of cells are accepted here; those with more are rejected one by one
 * later.
 */
const parserOptions: Options = {
  bom: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: maxRowLength,
  info: true,
};

/**
 * The refusal for a parser error, after which the parser cannot continue.
 * @param line the line of the file at which the unreadable row begins
 */
function parseErrorOf(error: unknown, line: number): unknown {
  if (error instanceof TooLongRow)
    return invalid(`has a row of more than ${maxRowBytes} bytes at line ${line}: check its line ends and delimiters`);
  if (!(error instanceof CsvError)) return error;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return invalid(`has a quote that is never closed, in the row at line ${line}`);
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return invalid(
      `has a row of more than ${maxRowLength} characters at line ${line}: check whether its quotes are closed`,
    );
  return invalid(`cannot be parsed at line ${line}`);
}

async function headerWith(delimiter: string, csv: string, holder: Holder): Promise<readonly string[]> {
  try {
    for await (const { record } of parsedRows(Buffer.from(csv), holder, { delimiter, to: 1 })) return record;
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
  holder: Holder,
): Promise<{ delimiter: string; header: readonly string[] }> {
  let best: { delimiter: string; header: readonly string[]; known: number } = { delimiter: ',', header: [], known: 0 };
  for (const delimiter of separator === undefined ? delimiters : [separator]) {
    const header = await headerWith(delimiter, csv, holder);
    const known = header.filter((name) => columns.has(normalizeColumn(name))).length;
    if (known > best.known || (known === best.known && header.length > best.header.length))
      best = { delimiter, header, known };
  }
  if (best.header.length > maxColumns)
    throw invalid(`has ${best.header.length} columns in its header line; the maximum is ${maxColumns}`);
  return best;
}

/** Bytes of a row with its delimiters, quotes and line ends. The parser counts only the characters of its cells. */
const maxRowBytes = 4 * maxRowLength;

/**
 * The file in chunks, with a turn for other requests between them.
 * @param read the rows that the parser has read, with blank lines
 * @throws TooLongRow for a row that does not end within `maxRowBytes`, such as one of millions of empty cells
 */
async function* chunksOf(bytes: Buffer, holder: Holder, read: () => number): AsyncGenerator<Buffer> {
  let [rows, rowAt] = [0, 0];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const now = read();
    if (now > rows) [rows, rowAt] = [now, at];
    else if (at - rowAt > maxRowBytes) throw new TooLongRow();
    yield bytes.subarray(at, at + chunkBytes);
    await takeTurn(holder);
  }
}

class TooLongRow extends Error {}

/** For each column, where its cells go; undefined for a column to ignore. */
type Targets = readonly (Target | undefined)[];

function rowOf(cells: Line, targets: Targets, parsers: readonly CellParser[]): RawRow {
  if (typeof cells === 'string') return cells;
  // Spreadsheets and other programs leave out the empty cells at the end of a row.
  if (cells.length > targets.length)
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

/** The cells of a row, or why it cannot be read. */
type Line = readonly string[] | string;

interface Parsed {
  record: string[];
  info: { bytes: number; lines: number };
}

const isParsed = (value: unknown): value is Parsed => typeof value === 'object' && value !== null && 'record' in value;

const unclosedQuote = 'begins a cell with a quote that is not closed before a delimiter or the end of the line';

/**
 * Whether a row of several lines is several rows that a stray quote joined. A row with fewer cells than the header line
 * may also have left out its empty cells at the end: then none of its further lines looks like a row.
 */
function isJoined(cells: readonly string[], raw: string, { delimiter, width }: LinesOptions): boolean {
  if (cells.length > width || hasStrayQuote(cells, raw, delimiter)) return true;
  if (cells.length === width) return false;
  return raw
    .split(lineEnd)
    .slice(1)
    .some((line) => line.split(delimiter, width + 1).length === width);
}

/** Without the line ends at both ends. Not with a regular expression: `[\r\n]+$` is quadratic in a run inside. */
function withoutOuterLineEnds(text: string): string {
  const isLineEnd = (at: number): boolean => text[at] === '\n' || text[at] === '\r';
  let [start, end] = [0, text.length];
  while (start < end && isLineEnd(start)) start += 1;
  while (end > start && isLineEnd(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** Lines that are parsed before other requests get a turn: each takes about 30 µs (measured). */
const linesPerTurn = 25;

/** The lines of a text, each parsed separately. */
async function* singleLines(text: string, { delimiter, holder }: LinesOptions): AsyncGenerator<Line> {
  for (const [index, line] of text.split(lineEnd).entries()) {
    if (index % linesPerTurn === linesPerTurn - 1) await takeTurn(holder);
    if (line === '') continue;
    try {
      const [found] = parseSync(line, { ...parserOptions, delimiter });
      if (isParsed(found)) yield found.record;
    } catch {
      yield unclosedQuote;
    }
  }
}

interface LinesOptions {
  csv: string;
  delimiter: string;
  /** The environment that the parsing counts for, see takeTurn. */
  holder: Holder;
  /** How many cells the header line has. */
  width: number;
  cast?: CastingFunction;
}

/**
 * The rows below the header line. A quote that begins a cell and is not closed as RFC 4180 requires would swallow the
 * rows up to the next quote, or up to one that happens to precede a delimiter. The lines are then read one by one
 * instead, so that each is imported or rejected.
 */
async function* linesOf(options: LinesOptions): AsyncGenerator<Line> {
  const { csv, delimiter, holder, cast } = options;
  const bytes = Buffer.from(csv);
  let end = { bytes: 0, lines: 0 };
  try {
    for await (const { record, info } of parsedRows(bytes, holder, { delimiter, ...(cast && { cast }) })) {
      const isHeader = end.lines === 0;
      const raw = info.lines - end.lines > 1 ? bytes.toString('utf8', end.bytes, info.bytes) : '';
      end = { bytes: info.bytes, lines: info.lines };
      if (isHeader) continue;
      const text = withoutOuterLineEnds(raw);
      if (lineEnd.test(text) && isJoined(record, text, options)) yield* singleLines(text, options);
      else yield record;
    }
  } catch (error) {
    throw parseErrorOf(error, end.lines + 1);
  }
}

async function* parsedRows(bytes: Buffer, holder: Holder, options: Options): AsyncGenerator<Parsed> {
  const parser = parse({ ...parserOptions, ...options });
  const source = Readable.from(chunksOf(bytes, holder, () => parser.info.records + parser.info.empty_lines));
  source.on('error', (error) => parser.destroy(error)).pipe(parser);
  try {
    for await (const parsed of parser) if (isParsed(parsed)) yield parsed;
  } finally {
    source.destroy();
  }
}

/** A cell in quotes that would be a number without them. */
const quotedNumber = /"-?\d[\d.]{0,20}"/;
/** Characters that are searched in one turn. */
const searchedPerTurn = 1024 * 1024;

async function hasQuotedNumber(csv: string, holder: Holder): Promise<boolean> {
  for (let at = 0; at < csv.length; at += searchedPerTurn) {
    // Includes the beginning of the next part: a number may span the boundary.
    if (quotedNumber.test(csv.slice(at, at + searchedPerTurn + 24))) return true;
    await takeTurn(holder);
  }
  return false;
}

/**
 * Detects the type of each property column over the whole file. The file is parsed twice for this: keeping the parsed
 * rows of a 32 MiB CSV until the last one is seen would take several times its size.
 */
async function detectParsers(lines: LinesOptions, targets: Targets, maxRows: number): Promise<readonly CellParser[]> {
  const detector = createTypeDetector(targets.map((target) => target?.property !== undefined));
  if (detector.isDone()) return parsersOf(detector.types);
  let rows = 0;
  // The parser takes four times as long if it also reports which cells were in quotes (measured).
  const markQuoted: CastingFunction = (cell, { quoting }) => (quoting ? `${quotedMark}${cell}` : cell);
  const cast = (await hasQuotedNumber(lines.csv, lines.holder)) ? { cast: markQuoted } : {};
  for await (const cells of linesOf({ ...lines, ...cast })) {
    if (typeof cells !== 'string' && cells.length <= targets.length) detector.add(cells);
    rows += 1;
    // A file with more rows is refused.
    if (detector.isDone() || rows > maxRows) break;
  }
  return parsersOf(detector.types);
}

/** A CSV as a table. */
export interface CsvTable {
  /** Columns of the header line for which no field was given. */
  readonly ignoredColumns: readonly string[];
  /** The rows below the header line; each can be read once. */
  readonly rows: AsyncGenerator<RawRow>;
}

export interface ReadTableOptions {
  /** Rows that the caller takes; types are not detected beyond them. */
  maxRows: number;
  /** The environment that the parsing counts for, see takeTurn. */
  holder: Holder;
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
  { maxRows, holder }: ReadTableOptions,
): Promise<CsvTable> {
  const byColumn = targetsOf(columns);
  const separator = separatorLine.exec(csv.slice(0, 100));
  const table = separator ? csv.slice(separator[0].length) : csv;
  const { delimiter, header } = await readHeader(table.slice(0, maxHeaderLength), byColumn, separator?.[1], holder);
  const targets = matchHeader(header, byColumn);
  const lines = { csv: table, delimiter, holder, width: header.length };
  const parsers = await detectParsers(lines, targets, maxRows);
  const ignoredColumns = header.filter((_, index) => targets[index] === undefined);
  return { ignoredColumns, rows: rowsOf(linesOf(lines), targets, parsers) };
}

async function* rowsOf(
  lines: AsyncGenerator<Line>,
  targets: Targets,
  parsers: readonly CellParser[],
): AsyncGenerator<RawRow> {
  for await (const cells of lines) yield rowOf(cells, targets, parsers);
}
