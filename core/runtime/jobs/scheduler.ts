import { hostname } from 'node:os';
import { Agenda, type AgendaBackend } from 'agenda';
import type { Log } from '../log.js';
import type { Clock } from '../clock.js';
import { databaseClock } from '../database-clock.js';
import { inDatabaseTime } from './database-time.js';
import { isTooFar } from './due-time.js';
import { releasingBackend } from './release-on-stop.js';

/** The store of the jobs: MySQL or MongoDB (see backend.ts). */
export type JobsBackend = AgendaBackend;

/** Work that one of the processes does at intervals. It may occasionally run twice and must tolerate that. */
export interface RecurringJob {
  /** The same in every process. */
  name: string;
  /** '1 minute', '2 hours', or a cron expression in UTC. Not shorter than `pollMs`. */
  every: string;
  /**
   * Its work cannot be undone, such as deleting by age: it is skipped while the time cannot be trusted
   * (Clock.isTrusted).
   */
  isFinal?: true;
  run(): Promise<void>;
}

export interface JobsOptions {
  backend: JobsBackend;
  jobs: readonly RecurringJob[];
  log: Log;
  /** The time that due times are stored in: the database's. */
  clock?: Pick<Clock, 'now'>;
  /** How often the backend is polled for jobs that become due before the next poll; runs still start on time. */
  pollMs?: number;
  /** How long the lock of a killed process keeps others from its job. Running processes renew their locks earlier. */
  lockMs?: number;
}

/** Recurring jobs that run. */
export interface Jobs {
  stop(): Promise<void>;
  lateness(): Promise<Map<string, number>>;
}

const drainMs = 25_000;

/** How often the jobs are checked for due times later than one interval from now. */
const bringBackMs = 60_000;

/**
 * An interval, or a cron expression of five or six fields. Agenda guesses the meaning of other texts: “every hour”
 * would run without a pause.
 */
const everyPattern = /^((?!0 )\d+(\.\d+)? (second|minute|hour|day|week)s?|\S+( \S+){4,5})$/;

/**
 * Registers the jobs and starts running them. Each run happens in one of the processes that share the backend. A
 * failure is logged with the job's name, and the job runs again at its next time.
 * @returns stop(), which waits for running jobs (25 s at most) and releases the others, and lateness(), which reads how
 *   many seconds ago each job should have started; 0 for those that are not due
 * @throws if the backend cannot be reached, two jobs have the same name, or an `every` is invalid
 */
export async function startJobs({
  backend,
  jobs,
  log,
  clock = databaseClock,
  pollMs = 1_000,
  lockMs = 60_000,
}: JobsOptions): Promise<Jobs> {
  const names = jobs.map((job) => job.name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Error(`Two recurring jobs are named "${duplicate}".`);
  await backend.connect();
  const reportError = createErrorReporter(log);
  const agenda = new Agenda({
    backend: releasingBackend(inDatabaseTime(backend, clock), reportError),
    name: `${hostname()}:${process.pid}`,
    processEvery: pollMs,
    maxConcurrency: Math.max(1, jobs.length),
    defaultConcurrency: 1,
    defaultLockLimit: 1,
    defaultLockLifetime: lockMs,
  });
  agenda.on('error', reportError);
  agenda.on('fail', (error: Error, job) => log.error({ err: error, job: job.attrs.name }, 'A recurring job failed.'));
  try {
    for (const job of jobs) await register(agenda, job, log, lockMs / 3);
  } catch (error) {
    await backend.disconnect();
    throw error;
  }
  await agenda.start();

  // After the database's clock was ahead. A start brings them back too (due-time.ts).
  const bringBack = async (): Promise<void> => {
    const { jobs: found } = await backend.repository.queryJobs({ names });
    const tooFar = new Set(found.filter((each) => isTooFar(each, clock.now())).map(({ name }) => name));
    for (const job of jobs) if (tooFar.has(job.name)) await save(agenda, job);
  };
  const timer = setInterval(() => void bringBack().catch(reportError), bringBackMs);

  const lateness = async (): Promise<Map<string, number>> => {
    const { jobs: found } = await backend.repository.queryJobs({ names });
    const now = clock.now().getTime();
    return new Map(
      found.map(({ name, nextRunAt }) => [name, nextRunAt ? Math.max(0, now - nextRunAt.getTime()) / 1_000 : 0]),
    );
  };

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    const { running, timedOut } = await agenda.drain({ timeout: drainMs, closeConnection: true });
    if (timedOut)
      log.warn({ running }, `Recurring jobs were still running after ${drainMs / 1_000} s and were abandoned.`);
  };
  return { stop: () => (stopping ??= stop()), lateness };
}

async function register(agenda: Agenda, recurring: RecurringJob, log: Log, renewMs: number): Promise<void> {
  const { name, every } = recurring;
  if (!everyPattern.test(every)) throw unreadableInterval(recurring);
  agenda.define(name, async (job) => {
    let renewal: Promise<void> = Promise.resolve();
    const renew = (): void => {
      renewal = job
        .touch()
        .catch((error: unknown) => log.warn({ err: error, job: name }, 'Renewing the lock of a recurring job failed.'));
    };
    const timer = setInterval(renew, renewMs);
    try {
      await recurring.run();
    } finally {
      clearInterval(timer);
      // A renewal in flight would lock the job again after the run has released it.
      await renewal;
    }
  });
  await save(agenda, recurring);
}

/** Stores a job with its interval. @throws if Agenda cannot read the interval */
async function save(agenda: Agenda, recurring: RecurringJob): Promise<void> {
  const { name, every } = recurring;
  const job = agenda.create(name);
  job.attrs.type = 'single';
  job.repeatEvery(every, { timezone: 'UTC' });
  // Agenda accepts an expression that it cannot parse and never runs the job.
  if (!job.attrs.nextRunAt) throw unreadableInterval(recurring);
  await job.save();
}

const unreadableInterval = ({ name, every }: RecurringJob): Error =>
  new Error(
    `The recurring job "${name}" has every: "${every}", which is neither like "5 minutes" nor a cron expression.`,
  );

/** Logs errors of the backend; a repeated one at most once a minute, because every poll may cause it. */
function createErrorReporter(log: Log): (error: unknown) => void {
  const quietUntil = new Map<string, number>();
  return (error) => {
    const text = String(error);
    if (Date.now() < (quietUntil.get(text) ?? 0)) return;
    if (quietUntil.size > 100) quietUntil.clear();
    quietUntil.set(text, Date.now() + 60_000);
    log.error({ err: error }, 'The store of recurring jobs failed.');
  };
}
