import { createBatcher, type Batcher } from './batcher.js';
import type { ReadShared, Session, SharedRead } from './session.js';

/** A statement for each of these numbers of keys, so that each is prepared once per connection. */
const sizes = [1, 2, 4, 8, 16, 32];
const maxKeys = Math.max(...sizes);
/** One connection that does not answer must not keep all calls waiting. */
const maxRunning = 2;

const statements = new WeakMap<object, Map<number, string>>();

/** The statement of a read for N keys, and N times the parameters of one key. */
export function statementFor(
  { parts, sql }: Pick<SharedRead<never, unknown, never>, 'parts' | 'sql'>,
  size: number,
): string {
  const values = Object.entries(parts).map(([name, type]) => `CAST(? AS ${type}) AS ${name}`);
  const keys = Array.from({ length: size }, (_, place) => `SELECT ${place} AS place, ${values.join(', ')}`);
  return sql(`(${keys.join(' UNION ALL ')}) asked`);
}

/** Reads several keys in one statement. @returns the row found for each key, in order */
async function readKeys<Key, Found, Row extends object>(
  db: Pick<Session, 'prepared'>,
  read: SharedRead<Key, Found, Row>,
  keys: readonly Key[],
): Promise<Found[]> {
  const [first] = keys;
  if (first === undefined) return [];
  const size = sizes.find((each) => each >= keys.length) ?? keys.length;
  const known = statements.get(read) ?? new Map<number, string>();
  statements.set(read, known);
  const sql = known.get(size) ?? statementFor(read, size);
  known.set(size, sql);
  // If there are fewer keys than places, the first key fills the remaining ones.
  const parameters = Array.from({ length: size }, (_, place) => read.parametersOf(keys[place] ?? first)).flat();
  const rows = await db.prepared<Row & { place: number }>(sql, parameters);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return keys.map((_, place) => read.foundIn(byPlace.get(place)));
}

/** Reads one key by itself. @throws the driver's error, and the errors of `foundIn` */
export async function readKey<Key, Found, Row extends object>(
  db: Pick<Session, 'prepared'>,
  read: SharedRead<Key, Found, Row>,
  key: Key,
): Promise<Found> {
  const [found] = await readKeys(db, read, [key]);
  return found ?? read.foundIn(undefined);
}

/**
 * Shares reads on the connections of a pool. If a key's row cannot be read, only that key fails: its statement is run
 * again in halves.
 */
export function shareReads(db: Pick<Session, 'prepared'>): ReadShared {
  const batchers = new WeakMap<object, unknown>();
  function batcherOf<Key, Found, Row extends object>(read: SharedRead<Key, Found, Row>): Batcher<Key, Found>;
  function batcherOf(read: SharedRead<unknown, unknown>): unknown {
    const known = batchers.get(read);
    if (known !== undefined) return known;
    const made = createBatcher((keys: readonly unknown[]) => readKeys(db, read, keys), {
      maxItems: maxKeys,
      maxRunning,
      splitOnError: true,
    });
    batchers.set(read, made);
    return made;
  }
  return (read, key) => batcherOf(read)(key);
}
