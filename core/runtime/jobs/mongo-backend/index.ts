import { MongoBackend } from '@agendajs/mongo-backend';
import type { AgendaBackend, JobRepository } from 'agenda';
import { MongoClient, type Db } from 'mongodb';
import type { Jobs } from './documents.js';
import { lockMethods } from './lock.js';
import { saveMethods } from './save.js';

/**
 * The official repository, with those methods replaced that are not safe against a stale worker or a second process.
 */
function guardedRepository(official: JobRepository, db: Db, collection: string): JobRepository {
  const jobs: Jobs = db.collection(collection);
  return {
    connect: () => official.connect(),
    queryJobs: (options) => official.queryJobs(options),
    getJobsOverview: () => official.getJobsOverview(),
    getDistinctJobNames: () => official.getDistinctJobNames(),
    getJobById: (id) => official.getJobById(id),
    getQueueSize: () => official.getQueueSize(),
    removeJobs: (options) => official.removeJobs(options),
    disableJobs: (options) => official.disableJobs(options),
    enableJobs: (options) => official.enableJobs(options),
    purgeAllJobs: () => official.purgeAllJobs(),
    unlockJobs: (ids) => official.unlockJobs(ids),
    ...saveMethods(db, collection, official),
    ...lockMethods(jobs, official),
  };
}

const collection = 'agendaJobs';

/** How long the server may take to answer when svc starts. */
const connectMs = 5_000;

/**
 * Stores Agenda's jobs in the MongoDB at `url`, with Agenda's official backend. It has its own connections and closes
 * them.
 * @throws the driver's error if no server answers within 5 s or the credentials are refused
 */
export async function mongoBackend(url: string): Promise<AgendaBackend> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: connectMs, connectTimeoutMS: connectMs });
  try {
    const db = client.db();
    const backend = new MongoBackend({ mongo: db, collection });
    await within(
      connectMs,
      client.connect().then(() => backend.connect()),
    );
    return {
      name: backend.name,
      repository: guardedRepository(backend.repository, db, collection),
      notificationChannel: backend.notificationChannel,
      ownsConnection: true,
      connect: async () => undefined,
      disconnect: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Limits the time of connecting. The driver's own time-outs do not cover the DNS lookup of a mongodb+srv URL. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1_000} s`)), ms + 500);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
