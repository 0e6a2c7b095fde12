import { useEffect, useState } from 'preact/hooks';
import { useRead, type Read, type ReadOptions } from './read.js';
import type { Row } from './state.js';
import { rowsAt, textAt } from './value.js';

/*
 * A search through many rows answers in pages, and a page may have no match although later ones do: it then has a
 * `nextBefore` and no rows. Such a page is not an empty list.
 */

/** How many pages without a match are read before the person is asked. */
const atOnce = 25;

/** A list that was read up to its first matches. */
export interface ReadOn extends Read<Row> {
  /** Nothing has matched up to here, and there is more: the time up to which it was searched, if it is known. */
  readonly unfinished: { readonly since: string | undefined; readonly searching: boolean } | undefined;
  /** Searches further, after `atOnce` pages without a match. */
  readonly searchOn: () => void;
}

interface Reach {
  readonly key: string;
  readonly before: string;
  /** Pages that are still read without asking. */
  readonly left: number;
}

/**
 * Reads a list, and reads on while its pages have no rows.
 * @param rows the field of the reply that holds the rows
 */
export function useReadOn(
  name: string,
  input: Row,
  rows: string | undefined,
  options: ReadOptions<Row> & { readonly isLive: boolean },
): ReadOn {
  const key = JSON.stringify([name, input, options.isLive]);
  const [stored, setReach] = useState<Reach>();
  const reach = stored?.key === key ? stored : undefined;
  const read = useRead(name, reach ? { ...input, before: reach.before } : input, options);
  const next = textAt(read.data, 'nextBefore');
  const isEmpty = rows !== undefined && read.data !== undefined && rowsAt(read.data, rows).length === 0;
  const hasMore = isEmpty && !read.loading && next !== '' && next !== reach?.before;
  const left = reach?.left ?? atOnce;
  // Whoever watches for new rows stays on the newest page.
  const goesOn = hasMore && left > 0 && !options.isLive;
  const readOn = (pages: number): void => setReach({ key, before: next, left: pages });
  useEffect(() => {
    if (goesOn) readOn(left - 1);
  }, [goesOn, key, next]);
  const searching = goesOn || (reach !== undefined && read.loading);
  return {
    ...read,
    unfinished: hasMore || searching ? { since: timeOf(next === '' ? reach?.before : next), searching } : undefined,
    searchOn: () => readOn(atOnce),
  };
}

/** The time in an id (RFC 9562 §5.7): a page ends where the next one begins. */
function timeOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined || !/^[\da-f]{8}-[\da-f]{4}-[78]/i.test(cursor)) return undefined;
  return new Date(Number.parseInt(cursor.slice(0, 8) + cursor.slice(9, 13), 16)).toISOString();
}
