import { refusalOf } from '#core/kernel/errors/common.js';
import { createPacker, partsOf, type Part } from './parts.js';

/** Rows in one call (catalog). */
export const mostRows = 50_000;

/** The rows of a call, ready to be stored part by part. */
export interface ReadRows {
  total: number;
  /** May be walked again, should the transaction have to run again. */
  parts(): Iterable<Part>;
}

interface RowsInput {
  contacts?: readonly Readonly<Record<string, unknown>>[] | undefined;
  csv?: string | undefined;
  columns?: Readonly<Record<string, string>> | undefined;
  /** For rows that bring none of their own. */
  consents?: readonly unknown[] | undefined;
}

const refused = (field: string, problem: string): Error =>
  refusalOf.invalid_input({ field, problem, details: { field } });

function checkCount(count: number, field: string): void {
  if (count === 0) throw refused(field, 'must hold at least one row');
  if (count > mostRows) throw refusalOf.batch_too_large({ count, things: 'contacts', limit: mostRows });
}

/**
 * Reads the rows of audience.contact.import. What is wrong with a row is the row's own refusal, later.
 * @throws invalid_input where no row can be read, batch_too_large
 */
export async function readRows({ contacts, csv, columns, consents = [] }: RowsInput): Promise<ReadRows> {
  if (contacts) {
    if (columns) throw refused('columns', 'belongs to csv: leave it out');
    checkCount(contacts.length, 'contacts');
    return { total: contacts.length, parts: () => partsOf(contacts, consents.length) };
  }
  if (!columns) throw refused('columns', 'is required with csv: name the field that each column fills');
  return readCsv(csv ?? '', columns, consents.length);
}

async function readCsv(csv: string, columns: Readonly<Record<string, string>>, claims: number): Promise<ReadRows> {
  // Loaded for the first who brings a CSV: a process that never sees one does without.
  const { csvRows } = await import('./csv.js');
  const parts: Part[] = [];
  const packer = createPacker(claims);
  const keep = (part: Part | undefined): void => {
    if (part) parts.push(part);
  };
  let total = 0;
  for await (const row of csvRows(csv, columns)) {
    total += 1;
    // Beyond the cap they are counted alone, for the refusal.
    if (total <= mostRows) keep(packer.add(row));
  }
  checkCount(total, 'csv');
  keep(packer.end());
  return { total, parts: () => parts };
}
