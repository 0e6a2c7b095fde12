import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPool } from 'mysql2/promise';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { ensureDatabase } from '#core/runtime/database/server/create.js';
import { findMigrations, migrate } from '#core/runtime/database/migrate.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';
import { filterTree } from '#plugins/audience/segments/filter.js';
import { newestIds, countMatches } from '#plugins/audience/segments/planner.js';
import { parseDefinition } from '#plugins/audience/segments/parse.js';
import type { Tree } from '#plugins/audience/segments/tree.js';
import { median } from '../../report.js';
import { floorsFor } from './floors.js';
import { loadPeople, type People } from './people.js';
import { filters, promised, shapes } from './shapes.js';

/** One more than a page of 50, to know whether there is a next page. */
const pageRows = 51;
const rounds = 5;
const bufferPoolBytes = 2 * 1024 ** 3;

type Say = (line: string) => unknown;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Median times of several pieces of work, which run in turn. */
async function medians(pieces: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const took: number[][] = pieces.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, piece] of pieces.entries()) took[index]?.push(await timed(piece));
  }
  return took.map(median);
}

const row = (name: string, ...cells: (string | number)[]): string =>
  [name.padEnd(36), ...cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell).padStart(11))].join('');

async function measureShapes(db: Session, people: People, say: Say): Promise<void> {
  const scope = { environmentId: people.environmentId, now: people.now };
  const trees: [string, Tree][] = [
    ...Object.entries(shapes).map(([name, definition]): [string, Tree] => [name, parseDefinition(definition)]),
    ...Object.entries(filters).map(([name, filter]): [string, Tree] => [name, { is: 'all', of: filterTree(filter) }]),
  ];
  const share = (await countMatches(db, parseDefinition(promised), scope)) / people.count;
  if (Math.abs(share - 0.018) > 0.002)
    throw new Error(`The target segment matches ${share} of the contacts instead of 0.018.`);
  say(row('', 'matches', 'count ms', 'page ms'));
  for (const [name, tree] of trees) {
    const matches = await countMatches(db, tree, scope);
    const [count = 0, page = 0] = await medians([
      () => countMatches(db, tree, scope),
      () => newestIds(db, tree, scope, { limit: pageRows }),
    ]);
    say(row(name, matches.toLocaleString('en'), count, page));
  }
}

async function measureFloors(db: Session, people: People, say: Say): Promise<void> {
  const scope = { environmentId: people.environmentId, now: people.now };
  const tree = parseDefinition(promised);
  const { count, page, json } = floorsFor(people, pageRows);
  const [ours = 0, byHand = 0, ourPage = 0, pageByHand = 0, scan = 0] = await medians([
    () => countMatches(db, tree, scope),
    () => db.rows(count.sql, count.parameters),
    () => newestIds(db, tree, scope, { limit: pageRows }),
    () => db.rows(page.sql, page.parameters),
    () => db.rows(json.sql, json.parameters),
  ]);
  say(row('all of 10, 30 and 60 %', 'svc ms', 'by hand ms', 'ratio'));
  say(row('count', ours, byHand, (ours / byHand).toFixed(2)));
  say(row('page', ourPage, pageByHand, (ourPage / pageByHand).toFixed(2)));
  say(row('count by JSON_VALUE, all contacts', scan));
}

/**
 * Measures segments and contact lists at several sizes, on a private server with a buffer pool of 2 GiB. Usage:
 * `npm run bench -- segments [contacts …]`
 */
export async function benchSegments(counts: readonly number[], say: Say): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const server = await startPrivateServer({
    stateDir: folder,
    log: silentLog,
    progress: say,
    bufferPoolBytes,
    unrestricted: true,
  });
  try {
    for (const count of counts) {
      const url = server.databaseUrl(`people_${count}`);
      await ensureDatabase({ url });
      const db = await connectDatabase({ url, poolSize: 2 });
      const pool = createPool({ uri: url, connectionLimit: 2, timezone: 'Z' });
      const migrations = fileURLToPath(new URL('../../../../migrations/', import.meta.url));
      await migrate(db, await findMigrations(migrations, ['audience']));
      const environmentId = newId();
      const people = await loadPeople(
        { database: pool, environmentId, environment: idBytes(environmentId), count },
        say,
      );
      say(`\n${count.toLocaleString('en')} contacts with ten properties each; medians of ${rounds}.`);
      await measureShapes(db, people, say);
      await measureFloors(db, people, say);
      await pool.end();
      await db.close();
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
