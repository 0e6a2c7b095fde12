import { setImmediate as turn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { refusalOf } from '#core/kernel/errors/common.js';
import { kindFinder, valuesOf, type ColumnValue } from './column-kinds.js';
import { placesIn, plainName, targetsOf, type Target } from './columns.js';
import type { GivenRow } from './row.js';

const delimiters = [',', ';', '\t', '|'] as const;
/** The line by which Excel is told the delimiter; it is none of the file's own. */
const delimiterLine = /^\uFEFF?"?sep=([,;\t|])"?[ \t]*(?:\r\n|\r|\n)/i;
/** Bytes that are parsed before others get a turn: some milliseconds. */
const chunkBytes = 64 * 1024;
/** A header line is not longer. */
const headerCharacters = 1024 * 1024;

const refused = (problem: string): Error =>
  refusalOf.invalid_input({ field: 'csv', problem, details: { field: 'csv' } });

/**
 * RFC 4180, and what spreadsheets make of it: a byte order mark, any line end, blank lines. Rows of another length come through, to be
 * refused one by one; so does a quote within a cell, as itself.
 */
const asWritten: Options = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true };

/** @throws invalid_input for a quote that is never closed, which nobody could read on from */
function unreadable(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  return refused(
    error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'opens a quote that it never closes' : 'is no CSV that can be read',
  );
}

function headerWith(delimiter: string, csv: string): string[] {
  try {
    return parseAtOnce(csv, { ...asWritten, delimiter, to: 1 })[0] ?? [];
  } catch {
    // A header line with a quote that belongs to another delimiter's reading.
    return [];
  }
}

/** The header line, by the delimiter that makes the most of the named columns out of it. */
function readHeader(
  csv: string,
  named: ReadonlyMap<string, unknown>,
  told: string | undefined,
): { delimiter: string; header: string[] } {
  const readings = (told === undefined ? delimiters : [told]).map((delimiter) => {
    const header = headerWith(delimiter, csv);
    return { delimiter, header, known: header.filter((name) => named.has(plainName(name))).length };
  });
  const [best = { delimiter: ',', header: [] }] = readings.sort(
    (a, b) => b.known - a.known || b.header.length - a.header.length,
  );
  return best;
}

/** The text's chunks; between them other requests get their turn. */
async function* chunksOf(csv: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(csv);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    yield bytes.subarray(at, at + chunkBytes);
    await turn();
  }
}

type Places = readonly (Target | undefined)[];

function rowOf(cells: readonly string[], places: Places, values: readonly ColumnValue[]): GivenRow {
  if (cells.length !== places.length) return `has ${cells.length} cells where the header line has ${places.length}`;
  const row: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  for (const [index, target] of places.entries()) {
    const cell = cells[index]?.trim() ?? '';
    if (!target || cell === '') continue;
    if (target.property === undefined) row[target.field] = cell;
    else properties[target.property] = values[index]?.(cell) ?? cell;
  }
  return Object.keys(properties).length > 0 ? { ...row, properties } : row;
}

const isRecord = (value: unknown): value is string[] => Array.isArray(value);

/** The cells of each line below the header line. */
async function* linesOf(csv: string, delimiter: string): AsyncGenerator<readonly string[]> {
  const parser = parse({ ...asWritten, delimiter, from: 2 });
  const source = Readable.from(chunksOf(csv));
  source.pipe(parser);
  try {
    for await (const cells of parser) if (isRecord(cells)) yield cells;
  } catch (error) {
    throw unreadable(error);
  } finally {
    source.destroy();
  }
}

/**
 * What the cells of each column are, over the whole file. The file is read twice for it: the rows of 32 MiB of CSV, held until the last
 * of them has told, would take several times that.
 */
async function valuesIn(csv: string, delimiter: string, places: Places): Promise<readonly ColumnValue[]> {
  const finder = kindFinder(places.map((target) => target?.property !== undefined));
  if (finder.isDone()) return valuesOf(finder.kinds);
  for await (const cells of linesOf(csv, delimiter)) {
    if (cells.length === places.length) finder.look(cells);
    if (finder.isDone()) break;
  }
  return valuesOf(finder.kinds);
}

/**
 * The rows of a CSV below its header line. An empty cell says nothing; a column of properties is booleans, numbers or texts, as all of
 * its cells are.
 * @param columns {<column>: field}
 * @throws invalid_input naming the column or `csv`
 */
export async function* csvRows(csv: string, columns: Readonly<Record<string, string>>): AsyncGenerator<GivenRow> {
  const targets = targetsOf(columns);
  const told = delimiterLine.exec(csv.slice(0, 100));
  const table = told ? csv.slice(told[0].length) : csv;
  const { delimiter, header } = readHeader(table.slice(0, headerCharacters), targets, told?.[1]);
  const places = placesIn(header, targets);
  const values = await valuesIn(table, delimiter, places);
  for await (const cells of linesOf(table, delimiter)) yield rowOf(cells, places, values);
}
