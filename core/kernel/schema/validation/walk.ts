/**
 * The maximum number of rows that one page looks through, in steps that grow: a page that is full after a few rows
 * reads few. The last step bounds a page's time even if nothing passes its filter: rows cost about 5 µs each
 * (docs/decisions/0051-bounded-lists.md).
 */
const steps = [100, 900, 4_000, 15_000];
/** No new step begins after this time. */
const enoughMs = 1_000;

/** Rows in the order of a list, along an index that has this order. `Key` is the key that the index is ordered by. */
interface Walk<Row, Key> {
  /** The key of the row that is `count` rows after `from`; undefined if fewer are left. Read only from the index. */
  keyAfter(from: Key | undefined, count: number): Promise<Key | undefined>;
  /**
   * The first `limit` rows after `from`, up to and including `to`, that pass the list's filter. Undefined means from
   * the start, or to the end.
   */
  read(from: Key | undefined, to: Key | undefined, limit: number): Promise<readonly Row[]>;
}

/**
 * Reads rows that pass a filter which no index serves, and looks through 20,000 rows at most.
 * @param from the key to begin after
 * @param wanted how many rows are enough
 * @returns the rows found, and the last key that was examined, if rows may be left after it
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
