import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createConnection, createPool, type Pool, type RowDataPacket } from 'mysql2/promise';
import { silentLog } from '#core/runtime/log.js';
import { startPrivateServer } from '#core/runtime/private-server/index.js';
import { newRootKey } from '#core/runtime/secrets/root-key.js';
import { startChild, type Child, type ChildOptions } from './child.js';
import { mintKeys } from './keys.js';
import { residentMiB } from './process.js';

/** Database connections of svc and of every floor. */
export const poolSize = 16;
const keyCount = 3_000;

/** The setup that all benches share: a durable database server, an API process of svc, and keys. */
export interface Stage {
  readonly svc: Child;
  /** Secret keys of one live environment. */
  readonly keys: readonly string[];
  /** The bench's own connection pool, for preparation and for floors that run in this process. */
  readonly database: Pool;
  readonly databaseUrl: string;
  readonly facts: StageFacts;
  /** Starts another process of svc on the same database, with these settings changed. */
  startNode(environment: Readonly<Record<string, string>>): Promise<Child>;
  /** Starts a program of floors/ in its own process. */
  startFloor(name: string, environment?: Readonly<Record<string, string>>): Promise<Child>;
  /** Starts any other program on the same database, as a floor is started. */
  startProgram(path: string, environment?: Readonly<Record<string, string>>): Promise<Child>;
  stop(): Promise<void>;
}

export interface StageFacts {
  /** Name and version of the database server. */
  database: string;
  firstStartMs: number;
  startMs: number;
  idleMiB: number;
}

/**
 * Creates a database for the bench: on the server of SVC_DATABASE_URL, without changing its other databases, or on a
 * private server.
 */
async function openDatabase(
  folder: string,
  say: (line: string) => void,
): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['SVC_DATABASE_URL'];
  if (given === undefined || given === '') {
    const server = await startPrivateServer({ stateDir: folder, log: silentLog, progress: say });
    return { url: server.databaseUrl(), stop: () => server.stop() };
  }
  const url = new URL(given);
  const name = `svc_bench_${randomBytes(6).toString('hex')}`;
  url.pathname = `/${name}`;
  const stop = async (): Promise<void> => {
    const server = await createConnection({ uri: given });
    await server.query('DROP DATABASE IF EXISTS ??', [name]);
    await server.end();
  };
  return { url: url.href, stop };
}

/** The live secret key that the first start wrote (docs/operating.md). */
async function firstKey(folder: string): Promise<string> {
  const facts: unknown = JSON.parse(await readFile(join(folder, 'first-run.json'), 'utf8'));
  const found = ['keys', 'live', 'secret'].reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    facts,
  );
  if (typeof found !== 'string') throw new Error('first-run.json contains no live secret key.');
  return found;
}

/** @param profile folder for the CPU profile of svc; undefined for none */
export async function openStage(say: (line: string) => void, profile: string | undefined): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each().catch((error: unknown) => say(String(error)));
  };
  /** Stopping the stage stops every process that a bench started. */
  const start = async (options: ChildOptions): Promise<Child> => {
    const child = await startChild(options);
    stops.push(() => child.stop());
    return child;
  };
  try {
    const opened = await openDatabase(folder, say);
    stops.push(() => opened.stop());
    const environment = {
      SVC_DATABASE_URL: opened.url,
      SVC_SECRET_KEY: newRootKey(),
      SVC_STATE_DIR: folder,
      SVC_PORT: '0',
      SVC_DATABASE_POOL: String(poolSize),
      // Delivery would use the same cores as the measured work.
      SVC_ROLE: 'api',
      // For the receiver of the webhook benches.
      SVC_OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    // As `npm start` runs it (docs/operating.md, Memory).
    const usualFlags = ['--max-semi-space-size=8', '--heap-growing-percent=40'];
    const program = fileURLToPath(new URL('../start.js', import.meta.url));
    const first = await start({ program, environment });
    await first.stop();
    const flags = [...usualFlags, ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`])];
    const svc = await start({ program, environment, flags });
    await pause(2_000);
    const idleMiB = await residentMiB(svc.pid);

    const database = createPool({
      uri: opened.url,
      connectionLimit: poolSize,
      multipleStatements: true,
      timezone: 'Z',
      jsonStrings: true,
    });
    stops.push(() => database.end());
    const [[server]] = await database.query<RowDataPacket[]>('SELECT VERSION() AS version');
    const version = String(server?.['version']);
    const startProgram: Stage['startProgram'] = (path, more = {}) =>
      start({
        program: path,
        environment: { BENCH_DATABASE_URL: opened.url, BENCH_POOL: String(poolSize), ...more },
      });
    return {
      svc,
      keys: await mintKeys(database, await firstKey(folder), keyCount),
      database,
      databaseUrl: opened.url,
      facts: {
        database: /mariadb/i.test(version) ? `MariaDB ${version}` : `MySQL ${version}`,
        firstStartMs: first.readyMs,
        startMs: svc.readyMs,
        idleMiB,
      },
      startNode: (changed) => start({ program, environment: { ...environment, ...changed }, flags }),
      startFloor: (name, more) => startProgram(fileURLToPath(new URL(`floors/${name}.js`, import.meta.url)), more),
      startProgram,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
