import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { createTestDatabase } from '#test/support/database.js';
import { at, isRecord } from '#test/support/json.js';

/** A read as the old version answered it. */
export interface OldRead {
  readonly env: 'live' | 'test';
  readonly operation: string;
  readonly input: unknown;
  readonly result: unknown;
}

/** What an old version stored and answered (docs/reliability.md, How it is tested). */
export interface OldVersion {
  /** Its statements, one a line. */
  readonly dump: string;
  /** Secret keys of the first account. */
  readonly keys: { readonly live: string; readonly test: string };
  readonly reads: readonly OldRead[];
}

/** The SVC_SECRET_KEY of all dumps. */
export const secretKey = 'dXBncmFkZSB0ZXN0IGtleSBvZiAzMiBieXRlcyAhISE=';

const unpacked = (name: string): string =>
  gunzipSync(readFileSync(new URL(`dumps/${name}.gz`, import.meta.url))).toString('utf8');

const isOldRead = (value: unknown): value is OldRead =>
  isRecord(value) && (value['env'] === 'live' || value['env'] === 'test') && typeof value['operation'] === 'string';

/** @param date of the version: `dumps/<date>.sql.gz` and `dumps/<date>.json.gz` */
export function oldVersion(date: string): OldVersion {
  const facts: unknown = JSON.parse(unpacked(`${date}.json`));
  const reads: unknown = at(facts, 'facts');
  const keyOf = (env: string): string => String(at(facts, 'keys', env, 'secret'));
  return {
    dump: unpacked(`${date}.sql`),
    keys: { live: keyOf('live'), test: keyOf('test') },
    reads: Array.isArray(reads) ? reads.filter(isOldRead) : [],
  };
}

/** Whether the tests run on MariaDB. The dumps are of it, and MySQL does not read them. */
export async function isMariaDb(): Promise<boolean> {
  const { url, drop } = await createTestDatabase();
  const connection = await createConnection({ uri: url });
  const [rows] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version');
  await connection.end();
  await drop();
  return /mariadb/i.test(String(rows[0]?.['version']));
}

/** Loads a dump into an empty database. Answers are kept for 24 hours: these are stored as of now. */
export async function load(url: string, { dump }: OldVersion): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  await connection.query(`${dump} UPDATE svc_idempotency SET created_at = NOW(3)`);
  await connection.end();
}

/** Where the new value lacks something of the old one: paths such as `messages[0].subject`. New fields and new
 * entries are not a difference. */
export function lost(old: unknown, now: unknown, path = ''): string[] {
  if (Array.isArray(old)) {
    const list: unknown[] = Array.isArray(now) ? now : [];
    const byId = new Map(list.map((each) => [at(each, 'id'), each] as const));
    const sameAs = (each: unknown, index: number): unknown => byId.get(at(each, 'id') ?? '') ?? list[index];
    const length = list.length >= old.length ? [] : [`${path}.length`];
    return [...length, ...old.flatMap((each, index) => lost(each, sameAs(each, index), `${path}[${index}]`))];
  }
  if (!isRecord(old)) return old === now ? [] : [path];
  if (!isRecord(now)) return [path];
  return Object.entries(old).flatMap(([name, each]) => lost(each, now[name], path === '' ? name : `${path}.${name}`));
}
