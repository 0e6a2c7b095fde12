/**
 * Rows that one page looks through at most, in steps that grow: a page that is full after a few rows reads few. The last step bounds a page's
 * time also where nothing passes its filter: rows cost about 5 µs each (docs/decisions/0051-bounded-lists.md).
 */
const steps = [100, 900, 4_000, 15_000];
/** No further step begins after this time. */
const enoughMs = 1_000;

/** Rows in the order of a list, along an index that has this order. `Key` is what the index is ordered by. */
export interface Walk<Row, Key> {
  /** The key of the row that is `count` rows after `from`; undefined where fewer are left. Read from the index alone. */
  keyAfter(from: Key | undefined, count: number): Promise<Key | undefined>;
  /** The first `limit` rows after `from`, up to and including `to`, that pass the list's filter. Undefined: from the start, to the end. */
  read(from: Key | undefined, to: Key | undefined, limit: number): Promise<readonly Row[]>;
}

/**
 * Reads rows that pass a filter which no index serves, and looks through 20,000 rows at most.
 * @param from the key after which to begin
 * @param wanted how many rows are enough
 * @returns the rows found, and the last key that was looked at if rows may be left behind it
 */
export async function walk<Row, Key>(
  { keyAfter, read }: Walk<Row, Key>,
  from: Key | undefined,
  wanted: number,
): Promise<{ rows: Row[]; stoppedAt: Key | undefined }> {
  const started = performance.now();
  const rows: Row[] = [];
  let last = from;
  for (const step of steps) {
    const to = await keyAfter(last, step);
    rows.push(...(await read(last, to, wanted - rows.length)));
    if (to === undefined || rows.length >= wanted) return { rows, stoppedAt: undefined };
    last = to;
    if (performance.now() - started > enoughMs) break;
  }
  return { rows, stoppedAt: last };
}
