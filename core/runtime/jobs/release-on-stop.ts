import type { AgendaBackend, JobParameters, JobRepository } from 'agenda';

/**
 * Wraps a backend so that disconnecting releases jobs that were claimed and not started, which Agenda's drain() does
 * not do: they would wait until their locks expire. `backend` must be connected already, because Agenda connects
 * without catching errors. Unlocking never rejects, because Agenda does not catch that either and the process would end
 * with an unhandled rejection.
 * @param report called with errors of releasing a job
 */
export function releasingBackend(backend: AgendaBackend, report: (error: unknown) => void): AgendaBackend {
  const { repository } = backend;
  const claimed = new Map<string, JobParameters>();
  const claims = new Set<Promise<unknown>>();
  let closed = false;

  async function release(job: JobParameters): Promise<void> {
    claimed.delete(String(job._id));
    try {
      await repository.unlockJob(job);
    } catch (error) {
      report(error);
    }
  }

  const claimNext: JobRepository['getNextJobToRun'] = async (...request) => {
    if (closed) return undefined;
    const claim = repository.getNextJobToRun(...request);
    const settled = claim.then(
      (job) => job && claimed.set(String(job._id), job),
      () => undefined,
    );
    claims.add(settled);
    await settled;
    claims.delete(settled);
    return claim;
  };

  return {
    name: backend.name,
    notificationChannel: backend.notificationChannel,
    ownsConnection: backend.ownsConnection,
    connect: async () => undefined,
    async disconnect() {
      closed = true;
      await Promise.all(claims);
      await Promise.all([...claimed.values()].map(release));
      await backend.disconnect();
    },
    repository: {
      connect: async () => undefined,
      queryJobs: (options) => repository.queryJobs(options),
      getJobsOverview: () => repository.getJobsOverview(),
      getDistinctJobNames: () => repository.getDistinctJobNames(),
      getJobById: (id) => repository.getJobById(id),
      getQueueSize: () => repository.getQueueSize(),
      removeJobs: (options) => repository.removeJobs(options),
      disableJobs: (options) => repository.disableJobs(options),
      enableJobs: (options) => repository.enableJobs(options),
      purgeAllJobs: () => repository.purgeAllJobs(),
      saveJob: (job, options) => repository.saveJob(job, options),
      lockJob: (job, options) => repository.lockJob(job, options),
      unlockJobs: (ids) => repository.unlockJobs(ids),
      unlockJob: release,
      getNextJobToRun: claimNext,
      async saveJobState(job, options) {
        claimed.delete(String(job._id));
        await repository.saveJobState(job, options);
      },
    },
  };
}
