import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AgendaBackend, JobParameters, JobRepository } from 'agenda';
import { MongoClient } from 'mongodb';
import { createConnection } from 'mysql2/promise';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { findMigrations, migrate } from '#core/runtime/database/migrate.js';
import { mongoBackend } from '#core/runtime/jobs/mongo-backend/index.js';
import { mysqlBackend } from '#core/runtime/jobs/mysql-backend/index.js';

/** One store of jobs, and as many processes' backends on it as a test wants. */
export interface Store {
  /** A backend as another process would have it: connected, with connections of its own. */
  backend(): Promise<AgendaBackend>;
  /** How contract/worker.ts reaches the store from a process of its own. */
  workerArguments: readonly string[];
  /** Closes every backend and removes the store. */
  remove(): Promise<void>;
}

export interface MysqlStore extends Store {
  database: ConnectedDatabase;
}

const freshName = (): string => `svc_jobs_${randomBytes(6).toString('hex')}`;

/** A database of its own on the test server, with the jobs' table. */
export async function mysqlStore(): Promise<MysqlStore> {
  const server = process.env['SVC_TEST_SERVER_URL'];
  if (server === undefined) throw new Error('SVC_TEST_SERVER_URL names no server: run the tests with npm test.');
  const name = freshName();
  const administer = async (sql: string): Promise<void> => {
    const connection = await createConnection({ uri: server });
    await connection.query(sql);
    await connection.end();
  };
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const databases: ConnectedDatabase[] = [];
  const open = async (): Promise<ConnectedDatabase> => {
    const database = await connectDatabase({ url: url.href, poolSize: 5 });
    databases.push(database);
    return database;
  };
  const database = await open();
  const migrations = await findMigrations(fileURLToPath(new URL('../../../migrations', import.meta.url)), ['core']);
  await migrate(
    database,
    migrations.filter((migration) => migration.name.endsWith('_jobs')),
  );
  return {
    database,
    backend: async () => mysqlBackend(await open()),
    workerArguments: ['mysql', url.href],
    async remove() {
      await Promise.all(databases.map((each) => each.close()));
      await administer(`DROP DATABASE ${name}`);
    },
  };
}

/** A database of its own on the MongoDB at `server`. */
export async function mongoStore(server: string): Promise<Store> {
  const url = new URL(server);
  url.pathname = `/${freshName()}`;
  const backends: AgendaBackend[] = [];
  return {
    async backend() {
      const backend = await mongoBackend(url.href);
      backends.push(backend);
      return backend;
    },
    workerArguments: ['mongodb', url.href],
    async remove() {
      await Promise.all(backends.map((backend) => backend.disconnect()));
      const client = await MongoClient.connect(url.href);
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

/** A job as Agenda would hand it to be saved: due a second ago, unless told otherwise. */
export function aJob(name: string, more: Partial<JobParameters> = {}): JobParameters {
  return { name, type: 'normal', priority: 0, data: {}, nextRunAt: ago(1_000), ...more };
}

/** The job as its worker saves it at the end, to give the lock back. */
export function withoutLock(job: JobParameters): JobParameters {
  const copy = { ...job };
  delete copy.lockedAt;
  return copy;
}

export const ago = (ms: number): Date => new Date(Date.now() - ms);
export const ahead = (ms: number): Date => new Date(Date.now() + ms);

/** Waits until `happened` answers true, for as long as a slow machine may need. */
export async function until(happened: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const last = Date.now() + 25_000;
  while (!(await happened())) {
    if (Date.now() > last) throw new Error(`Waited in vain until ${what}.`);
    await pause(20);
  }
}

/** What a promise was rejected with. */
export async function errorOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error('It was expected to fail, and did not.');
}

/** The value, where a test cannot go on without one. */
export function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('Something that should be there is not.');
  return value;
}

/** One store for the tests of a block, emptied before each, and a repository on it. */
export function usingStore(open: () => Promise<Store>): { readonly jobs: JobRepository } {
  let store: Store | undefined;
  let jobs: JobRepository | undefined;
  before(async () => {
    store = await open();
    jobs = (await store.backend()).repository;
  });
  beforeEach(() => given(jobs).purgeAllJobs());
  after(() => store?.remove());
  return {
    get jobs() {
      return given(jobs);
    },
  };
}

/** The repositories of two processes on one store, and what their workers do with jobs named "work". */
export function usingWorkers(open: () => Promise<Store>) {
  let other: JobRepository | undefined;
  const at = usingStore(async () => {
    const store = await open();
    other = (await store.backend()).repository;
    return store;
  });
  const read = async (id: string) => given(await at.jobs.getJobById(id));
  /** Claims as Agenda does at a scan that looks 5 s ahead, with locks that live for ten minutes. */
  const claim = (jobs: JobRepository, lockLifeMs = 600_000) =>
    jobs.getNextJobToRun('work', ahead(5_000), ago(lockLifeMs), undefined, { lastModifiedBy: 'a node' });
  return {
    get mine() {
      return at.jobs;
    },
    get theirs() {
      return given(other);
    },
    save: async (more: Partial<JobParameters> = {}) =>
      given((await at.jobs.saveJob(aJob('work', more), undefined))._id),
    read,
    isLocked: async (id: string) => Boolean((await read(id)).lockedAt),
    claim: (jobs: JobRepository) => claim(jobs),
    /** Claims what is locked too, as if every lock had run out. */
    takeOver: (jobs: JobRepository) => claim(jobs, -60_000),
  };
}
