import type { RawRow } from './row.js';

/** Rows of one import that are stored, and later imported, together. */
export interface Part {
  /** The number of its first row, counted from 1. */
  firstRow: number;
  /** A JSON list of rows. A row that could not be read is replaced by a text that states why. */
  contacts: string;
}

/** A part is one database row, whose value must stay below the servers' packet limit (docs/reliability.md). */
const maxBytes = 1024 * 1024;
/** A part is imported in one transaction; statements of about 500 rows are fastest (docs/performance.md). */
const rowsPerPart = 500;
/**
 * Each consent may add three rows and an event; the limit keeps every statement of the transaction below the packet
 * limit.
 */
const maxConsents = 2_000;

/** Groups rows into parts. */
interface PartBuilder {
  /** @returns the previous part, if this row does not fit into it */
  add(row: RawRow): Part | undefined;
  /** @returns the last part, if any row is left */
  finish(): Part | undefined;
}

/** @param defaultConsents the number of consents of a row that has no `consents` field */
export function createPartBuilder(defaultConsents: number): PartBuilder {
  let texts: string[] = [];
  let bytes = 0;
  let consents = 0;
  let firstRow = 1;
  const take = (): Part | undefined => {
    if (texts.length === 0) return undefined;
    const part = { firstRow, contacts: `[${texts.join(',')}]` };
    firstRow += texts.length;
    [texts, bytes, consents] = [[], 0, 0];
    return part;
  };
  return {
    add(row) {
      const text = isTooLong(row) ? tooLarge : storable(JSON.stringify(row));
      // Including its comma.
      const size = Buffer.byteLength(text) + 1;
      const added = consentsIn(row) ?? defaultConsents;
      const isFull = texts.length === rowsPerPart || bytes + size + 1 > maxBytes || consents + added > maxConsents;
      const full = isFull ? take() : undefined;
      texts.push(text);
      bytes += size;
      consents += added;
      return full;
    },
    finish: take,
  };
}

/** The number of consents in a row itself; undefined without a list. A list that is too long is rejected later. */
function consentsIn(row: RawRow): number | undefined {
  const own = typeof row === 'string' ? [] : row['consents'];
  return Array.isArray(own) ? Math.min(own.length, maxConsents) : undefined;
}

/** What stands for a row that does not fit into any part. A valid row is at most a tenth of the limit. */
const tooLarge = JSON.stringify('is larger than 1 MiB');
const storable = (text: string): string => (Buffer.byteLength(text) + 2 > maxBytes ? tooLarge : text);

/** Whether the texts of a row alone are too large. Writing 32 MiB as JSON would delay all other calls. */
function isTooLong(row: RawRow): boolean {
  let left = maxBytes;
  const open: unknown[] = [row];
  while (open.length > 0 && left >= 0) {
    const next = open.pop();
    if (typeof next === 'string') left -= next.length;
    else if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) open.push(each);
  }
  return left < 0;
}

/** The parts of some rows, one at a time, so that 50,000 rows are not in memory twice. */
export function* partsOf(rows: Iterable<RawRow>, defaultConsents: number): Generator<Part> {
  const builder = createPartBuilder(defaultConsents);
  for (const row of rows) {
    const full = builder.add(row);
    if (full) yield full;
  }
  const last = builder.finish();
  if (last) yield last;
}
