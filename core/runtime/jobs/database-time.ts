import type { AgendaBackend, JobParameters } from 'agenda';
import { shift, type Clock } from '../clock.js';
import { intervalMs } from './due-time.js';

/** A smaller difference between the clocks is ignored. */
const leastMs = 1_000;

/** Fields of a job that Agenda sets from the machine's clock, or compares with it. */
type Times = Pick<JobParameters, 'nextRunAt' | 'lockedAt' | 'lastRunAt' | 'lastFinishedAt' | 'failedAt'>;

/**
 * Wraps a backend so that the stored due times and locks are the database's time, although Agenda uses the machine's
 * clock: a machine whose clock is wrong runs its jobs on time, and stores no due times that others would wait for. A
 * recurring job is never due later than its interval from now, even if the clock was set back during its run.
 */
export function inDatabaseTime(backend: AgendaBackend, clock: Pick<Clock, 'now'>): AgendaBackend {
  const { repository } = backend;
  /** Database time minus the machine's time. */
  const difference = (): number => {
    const ms = clock.now().getTime() - Date.now();
    return Math.abs(ms) < leastMs ? 0 : ms;
  };
  const moved = (times: Times, ms: number): Times => ({
    nextRunAt: times.nextRunAt && shift(times.nextRunAt, ms),
    ...(times.lockedAt && { lockedAt: shift(times.lockedAt, ms) }),
    ...(times.lastRunAt && { lastRunAt: shift(times.lastRunAt, ms) }),
    ...(times.lastFinishedAt && { lastFinishedAt: shift(times.lastFinishedAt, ms) }),
    ...(times.failedAt && { failedAt: shift(times.failedAt, ms) }),
  });
  const stored = <DATA>(job: JobParameters<DATA>): JobParameters<DATA> => {
    const { nextRunAt, ...times } = moved(job, difference());
    const interval = intervalMs(job.repeatInterval);
    const latest = interval === undefined ? undefined : shift(clock.now(), interval);
    return { ...job, ...times, nextRunAt: nextRunAt && latest && nextRunAt > latest ? latest : nextRunAt };
  };
  const shown = <Job extends JobParameters | undefined>(job: Job): Job =>
    job && { ...job, ...moved(job, -difference()) };
  return {
    name: backend.name,
    notificationChannel: backend.notificationChannel,
    ownsConnection: backend.ownsConnection,
    connect: () => backend.connect(),
    disconnect: () => backend.disconnect(),
    repository: {
      connect: () => repository.connect(),
      queryJobs: (options) => repository.queryJobs(options),
      getJobsOverview: () => repository.getJobsOverview(),
      getDistinctJobNames: () => repository.getDistinctJobNames(),
      getJobById: async (id) => {
        const job = await repository.getJobById(id);
        return job && { ...job, ...moved(job, -difference()) };
      },
      getQueueSize: () => repository.getQueueSize(),
      removeJobs: (options) => repository.removeJobs(options),
      disableJobs: (options) => repository.disableJobs(options),
      enableJobs: (options) => repository.enableJobs(options),
      purgeAllJobs: () => repository.purgeAllJobs(),
      unlockJobs: (ids) => repository.unlockJobs(ids),
      unlockJob: (job) => repository.unlockJob(job),
      saveJob: async (job, options) => {
        const saved = await repository.saveJob(stored(job), options);
        return { ...saved, ...moved(saved, -difference()) };
      },
      saveJobState: (job, options) => repository.saveJobState(stored(job), options),
      lockJob: async (job, options) => shown(await repository.lockJob(stored(job), options)),
      async getNextJobToRun(name, nextScanAt, lockDeadline, now, options) {
        const ms = difference();
        const at = now ?? new Date();
        const [scan, deadline] = [shift(nextScanAt, ms), shift(lockDeadline, ms)];
        return shown(await repository.getNextJobToRun(name, scan, deadline, shift(at, ms), options));
      },
    },
  };
}
