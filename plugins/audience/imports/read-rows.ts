import type { Holder } from '#core/runtime/holder.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { CsvTable } from './csv.js';
import { createPartBuilder, partsOf, type Part } from './parts.js';

/** Rows per call. */
export const maxRows = 50_000;

/** The rows of a call, ready to be stored part by part. */
interface ReadRows {
  total: number;
  /** Columns of the CSV that `columns` does not name. */
  ignoredColumns: readonly string[];
  /** Can be iterated again if the transaction is retried. */
  parts(): Iterable<Part>;
}

interface RowsInput {
  contacts?: readonly Readonly<Record<string, unknown>>[] | undefined;
  csv?: string | undefined;
  columns?: Readonly<Record<string, string>> | undefined;
  /** For rows without a `consents` field. */
  consents?: readonly unknown[] | undefined;
}

const tooMany = (count: number | string): Error =>
  refusalOf.batch_too_large({ count, things: 'contacts', limit: maxRows });
const empty = (field: string): Error => invalidField(field, 'must have at least one row');

/**
 * Reads the rows of audience.contact.import. Invalid rows are rejected one by one later.
 * @param holder of the caller: accounts take turns in parsing
 * @throws invalid_input if no row can be read, batch_too_large
 */
export async function readRows(
  { contacts, csv, columns, consents = [] }: RowsInput,
  holder: Holder,
): Promise<ReadRows> {
  if (contacts) {
    if (columns) throw invalidField('columns', 'is only allowed with csv: leave it out');
    if (contacts.length === 0) throw empty('contacts');
    if (contacts.length > maxRows) throw tooMany(contacts.length);
    return { total: contacts.length, ignoredColumns: [], parts: () => partsOf(contacts, consents.length) };
  }
  if (!columns) throw invalidField('columns', 'is required with csv: map each column to a field');
  // Loaded on first use: most processes never parse a CSV.
  const { readTable } = await import('./csv.js');
  return readCsv(await readTable(csv ?? '', columns, { maxRows, holder }), consents.length);
}

async function readCsv({ rows, ignoredColumns }: CsvTable, consents: number): Promise<ReadRows> {
  const parts: Part[] = [];
  const builder = createPartBuilder(consents);
  const keep = (part: Part | undefined): void => {
    if (part) parts.push(part);
  };
  let total = 0;
  for await (const row of rows) {
    total += 1;
    if (total > maxRows) throw tooMany(`more than ${maxRows}`);
    keep(builder.add(row));
  }
  if (total === 0) throw empty('csv');
  keep(builder.finish());
  return { total, ignoredColumns, parts: () => parts };
}
