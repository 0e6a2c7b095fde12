import type { GivenRow } from './row.js';

/** Rows of one import that are stored, and later worked, together. */
export interface Part {
  /** The number of its first row, counted from 1. */
  firstRow: number;
  /** A JSON list of rows; a text stands in the place of a row that could not be read, and says why. */
  contacts: string;
}

/** A part is one row of the database: larger values break the connection (reliability.md). */
const mostBytes = 1024 * 1024;
/** A part is worked in one transaction; statements of about 500 rows are the fastest (performance.md). */
const mostRows = 500;
/** Each claim of consent may be three rows more, and an event: a transaction holds few enough that no text of it is too large. */
const mostClaims = 2_000;

/** Gathers rows into parts, one after another. */
export interface Packer {
  /** @returns the part that this row no longer fits into */
  add(row: GivenRow): Part | undefined;
  /** @returns the last part, where anything is left */
  end(): Part | undefined;
}

/** @param claims that each row makes which brings none of its own */
export function createPacker(claims: number): Packer {
  let texts: string[] = [];
  let bytes = 0;
  let claimed = 0;
  let firstRow = 1;
  const take = (): Part | undefined => {
    if (texts.length === 0) return undefined;
    const part = { firstRow, contacts: `[${texts.join(',')}]` };
    firstRow += texts.length;
    [texts, bytes, claimed] = [[], 0, 0];
    return part;
  };
  return {
    add(row) {
      const text = storable(JSON.stringify(row));
      // With its comma, and the list's brackets.
      const size = Buffer.byteLength(text) + 1;
      const more = claimsIn(row) ?? claims;
      const isFull = texts.length === mostRows || bytes + size + 1 > mostBytes || claimed + more > mostClaims;
      const full = isFull ? take() : undefined;
      texts.push(text);
      bytes += size;
      claimed += more;
      return full;
    },
    end: take,
  };
}

/** How many claims a row makes of its own, as far as it can be read; a list longer than it may be is refused later. */
function claimsIn(row: GivenRow): number | undefined {
  const own = typeof row === 'string' ? [] : row['consents'];
  return Array.isArray(own) ? Math.min(own.length, mostClaims) : undefined;
}

/** Two hundred properties of 500 characters are a tenth of it: what is larger has no sense, and would fit into no part. */
const storable = (text: string): string =>
  Buffer.byteLength(text) + 2 > mostBytes ? JSON.stringify('is larger than 1 MiB') : text;

/** The parts of some rows, made one at a time: 50,000 rows need not stand in memory twice. */
export function* partsOf(rows: Iterable<GivenRow>, claims: number): Generator<Part> {
  const packer = createPacker(claims);
  for (const row of rows) {
    const full = packer.add(row);
    if (full) yield full;
  }
  const last = packer.end();
  if (last) yield last;
}
