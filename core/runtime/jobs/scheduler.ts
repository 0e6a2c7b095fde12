import { hostname } from 'node:os';
import { Agenda, type AgendaBackend } from 'agenda';
import type { Log } from '#core/runtime/log.js';
import { accountableBackend } from './held.js';

/** Where jobs are kept: MySQL or MongoDB (see backend.ts). */
export type JobsBackend = AgendaBackend;

/** Work that one process of all does, again and again. It may run twice, and must not mind. */
export interface RecurringJob {
  /** Its name, the same in every process. */
  name: string;
  /** '1 minute', '2 hours', or a cron expression in UTC. Not more often than the poll. */
  every: string;
  run(): Promise<void>;
}

export interface JobsOptions {
  backend: JobsBackend;
  jobs: readonly RecurringJob[];
  log: Log;
  /** How often the backend is asked for what falls due; runs start on time nevertheless. */
  pollMs?: number;
  /** How long a killed process keeps others from its job. A living one renews its lock well before. */
  lockMs?: number;
}

const drainMs = 25_000;

/**
 * Registers the jobs and starts ticking. Each tick runs in one process of all that share the backend. A failure is
 * logged by the job's name, and the job runs again at its next time.
 * @returns stop(), which waits for what runs (25 s at most) and gives the rest back
 * @throws when the backend cannot be reached, when two jobs bear one name, or when an `every` says no time
 */
export async function startJobs({
  backend,
  jobs,
  log,
  pollMs = 1_000,
  lockMs = 60_000,
}: JobsOptions): Promise<{ stop(): Promise<void> }> {
  const names = jobs.map((job) => job.name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new Error(`Two recurring jobs are named "${twin}".`);
  await backend.connect();
  const trouble = seldom(log);
  const agenda = new Agenda({
    backend: accountableBackend(backend, trouble),
    name: `${hostname()}:${process.pid}`,
    processEvery: pollMs,
    maxConcurrency: Math.max(1, jobs.length),
    defaultConcurrency: 1,
    defaultLockLimit: 1,
    defaultLockLifetime: lockMs,
  });
  agenda.on('error', trouble);
  agenda.on('fail', (error: Error, job) => log.error({ err: error, job: job.attrs.name }, 'A recurring job failed.'));
  try {
    for (const job of jobs) await register(agenda, job, log, lockMs / 3);
  } catch (error) {
    await backend.disconnect();
    throw error;
  }
  await agenda.start();

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const { running, timedOut } = await agenda.drain({ timeout: drainMs, closeConnection: true });
    if (timedOut) log.warn({ running }, `Recurring jobs still ran after ${drainMs / 1_000} s and were left.`);
  };
  return { stop: () => (stopping ??= stop()) };
}

async function register(agenda: Agenda, recurring: RecurringJob, log: Log, renewMs: number): Promise<void> {
  const { name, every } = recurring;
  agenda.define(name, async (job) => {
    let renewal: Promise<void> = Promise.resolve();
    const renew = (): void => {
      renewal = job
        .touch()
        .catch((error: unknown) => log.warn({ err: error, job: name }, 'The lock of a recurring job was not renewed.'));
    };
    const timer = setInterval(renew, renewMs);
    try {
      await recurring.run();
    } finally {
      clearInterval(timer);
      // A renewal under way would lock what the end of the run gives back.
      await renewal;
    }
  });
  const job = agenda.create(name);
  job.attrs.type = 'single';
  job.repeatEvery(every, { timezone: 'UTC' });
  // Agenda keeps a job whose interval it cannot read, with no time to run at.
  if (!job.attrs.nextRunAt) {
    throw new Error(
      `The recurring job "${name}" has every: "${every}", which is neither like "5 minutes" nor a cron expression.`,
    );
  }
  await job.save();
}

/** Logs an error that comes with every poll once a minute. */
function seldom(log: Log): (error: unknown) => void {
  const quietUntil = new Map<string, number>();
  return (error) => {
    const text = String(error);
    if (Date.now() < (quietUntil.get(text) ?? 0)) return;
    if (quietUntil.size > 100) quietUntil.clear();
    quietUntil.set(text, Date.now() + 60_000);
    log.error({ err: error }, 'The recurring jobs met an error.');
  };
}
