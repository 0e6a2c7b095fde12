import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AgendaBackend, JobParameters, JobRepository } from 'agenda';
import { MongoClient } from 'mongodb';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { findMigrations, migrate } from '#core/runtime/database/migrate.js';
import { mongoBackend } from '#core/runtime/jobs/mongo-backend/index.js';
import { mysqlBackend } from '#core/runtime/jobs/mysql-backend/index.js';
import { createTestDatabase } from '#test/support/database.js';

/** A store of jobs, with any number of backends on it. */
export interface Store {
  /** A backend like another process's: connected, with its own connections. */
  backend(): Promise<AgendaBackend>;
  /** How contract/worker.ts connects to the store from another process. */
  workerArguments: readonly string[];
  /** Closes every backend and removes the store. */
  remove(): Promise<void>;
}

export interface MysqlStore extends Store {
  database: ConnectedDatabase;
}

const freshName = (): string => `svc_jobs_${randomBytes(6).toString('hex')}`;

/** A new database on the test server, with the table of jobs. */
export async function mysqlStore(): Promise<MysqlStore> {
  const { url, drop } = await createTestDatabase();
  const databases: ConnectedDatabase[] = [];
  const open = async (): Promise<ConnectedDatabase> => {
    const database = await connectDatabase({ url, poolSize: 5 });
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
    workerArguments: ['mysql', url],
    async remove() {
      await Promise.all(databases.map((each) => each.close()));
      await drop();
    },
  };
}

/** A new database on the MongoDB at `server`. */
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

/** The most that the database's clock, as a backend estimates it, is away from this process's clock on one machine. */
export const clockErrorMs = 1_000;

/** A job as Agenda passes it to saveJob; due a second ago by default. */
export function aJob(name: string, more: Partial<JobParameters> = {}): JobParameters {
  return { name, type: 'normal', priority: 0, data: {}, nextRunAt: ago(1_000), ...more };
}

/** The job as its worker saves it at the end of a run, to release the lock. */
export function withoutLock(job: JobParameters): JobParameters {
  const copy = { ...job };
  delete copy.lockedAt;
  return copy;
}

export const ago = (ms: number): Date => new Date(Date.now() - ms);
export const ahead = (ms: number): Date => new Date(Date.now() + ms);

/** Waits until `happened` returns true; the deadline allows for slow machines. */
export async function until(happened: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const last = Date.now() + 25_000;
  while (!(await happened())) {
    if (Date.now() > last) throw new Error(`Waited in vain until ${what}.`);
    await pause(20);
  }
}

/** The error that a promise was rejected with. */
export async function errorOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error('It was expected to fail, and did not.');
}

/** The value. @throws where it is null or undefined */
export function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('Something that should be there is not.');
  return value;
}

/** A store for the tests of a block, emptied before each test, and a repository on it. */
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

/** The repositories of two processes on one store, and their workers' calls for jobs named "work". */
export function usingWorkers(open: () => Promise<Store>) {
  let other: JobRepository | undefined;
  const at = usingStore(async () => {
    const store = await open();
    other = (await store.backend()).repository;
    return store;
  });
  const read = async (id: string) => given(await at.jobs.getJobById(id));
  /** Claims like Agenda's scan, 5 s in advance, with a lock lifetime of ten minutes. */
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
    /** Claims locked jobs too, as if every lock had expired. */
    takeOver: (jobs: JobRepository) => claim(jobs, -60_000),
  };
}
