import type { AgendaBackend, JobParameters, JobRepository } from 'agenda';

/**
 * A backend that gives back at its end what was claimed and never started, which Agenda's drain() forgets: those jobs
 * would stand still until their locks ran out. It wants `backend` to be connected already, since Agenda connects
 * without a catch; and it never fails to unlock, since Agenda unlocks without one either, and the process would end by
 * an unhandled rejection.
 * @param report gets what went wrong while a job was given back
 */
export function accountableBackend(backend: AgendaBackend, report: (error: unknown) => void): AgendaBackend {
  const { repository } = backend;
  const waiting = new Map<string, JobParameters>();
  const claims = new Set<Promise<unknown>>();
  let closed = false;

  async function giveBack(job: JobParameters): Promise<void> {
    waiting.delete(String(job._id));
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
      (job) => job && waiting.set(String(job._id), job),
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
      await Promise.all([...waiting.values()].map(giveBack));
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
      unlockJob: giveBack,
      getNextJobToRun: claimNext,
      async saveJobState(job, options) {
        waiting.delete(String(job._id));
        await repository.saveJobState(job, options);
      },
    },
  };
}
