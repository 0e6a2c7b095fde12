import type { JobParameters, JobRepository } from 'agenda';
import { databaseClock } from '../../database-clock.js';
import type { Database } from '../../database/session.js';
import { idBytes, newId } from '../../id.js';
import { claimOf, type ClaimedJob } from './claim.js';
import { storedId, toJob, type JobRow } from './row.js';

/** The row to claim, as it was read. */
type Candidate = Pick<JobRow, 'id' | 'fence' | 'locked_at' | 'next_run_at'>;

/** How often a claim is tried while other processes are faster; after that the job waits for the next scan. */
const maxAttempts = 20;

// Separate index reads instead of one with OR, which would sort all due rows of the name. A lock of the future was made
// before the database's clock was set back, or on another server: its holder renews it within a minute, or has died.
const nextCandidates = `
  (SELECT id, fence, locked_at, next_run_at FROM svc_job
    WHERE name = ? AND disabled = 0 AND locked_at <= NOW(3) - INTERVAL ? MICROSECOND ORDER BY locked_at LIMIT 1)
  UNION ALL
  (SELECT id, fence, locked_at, next_run_at FROM svc_job
    WHERE name = ? AND disabled = 0 AND locked_at > NOW(3) + INTERVAL 1 MINUTE ORDER BY locked_at LIMIT 1)
  UNION ALL
  (SELECT id, fence, locked_at, next_run_at FROM svc_job
    WHERE name = ? AND disabled = 0 AND locked_at IS NULL AND next_run_at <= ?
    ORDER BY next_run_at, priority DESC LIMIT 1)`;

/**
 * The repository's methods for locking.
 *
 * Locks are written and compared only by the database's NOW(3). Agenda passes times of the local clock, so its lock
 * deadline is first converted to an age ("locked for longer than this"). `nextRunAt` and the end of the scan are used
 * as Agenda passes them, in UTC: a node with a wrong clock runs jobs early or late, but never twice at the same time.
 * The `lockedAt` that Agenda receives is a local time taken before the claim was sent, so that Agenda never believes
 * that its lock ends later than it does.
 */
export function lockMethods(
  database: Database,
): Pick<JobRepository, 'getNextJobToRun' | 'lockJob' | 'unlockJob' | 'unlockJobs'> {
  const worker = idBytes(newId());
  const inSequence = createSequence();

  async function claim(found: Candidate, by: string | undefined, lockedAt: Date): Promise<ClaimedJob | undefined> {
    // Compares next_run_at too: another process may have run and released the job since it was read.
    const { affectedRows } = await database.run(
      `UPDATE svc_job SET locked_at = NOW(3), locked_by = ?, fence = fence + 1, last_modified_by = ?
        WHERE id = ? AND fence = ? AND disabled = 0 AND locked_at <=> ? AND next_run_at <=> ?`,
      [worker, by ?? null, found.id, found.fence, found.locked_at, found.next_run_at],
    );
    if (affectedRows === 0) return undefined;
    const fence = found.fence + 1;
    const [row] = await database.rows<JobRow>('SELECT * FROM svc_job WHERE id = ? AND fence = ?', [found.id, fence]);
    return row && { ...toJob(row), lockedAt, claim: { fence, nextRunAt: row.next_run_at } };
  }

  async function claimNext(name: string, scanEnd: Date, lockAgeMs: number, by: string | undefined, lockedAt: Date) {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const found = await database.rows<Candidate>(nextCandidates, [name, lockAgeMs * 1_000, name, name, scanEnd]);
      if (found.length === 0) return undefined;
      for (const candidate of found) {
        const job = await claim(candidate, by, lockedAt);
        if (job) return job;
      }
    }
    return undefined;
  }

  return {
    // Agenda requests all names together. Handled one after the other, they take one connection instead of the whole
    // pool.
    getNextJobToRun(name, nextScanAt, lockDeadline, now, options) {
      const lockAgeMs = (now ?? databaseClock.now()).getTime() - lockDeadline.getTime();
      return inSequence(() =>
        claimNext(name, nextScanAt, lockAgeMs, options?.lastModifiedBy, now ?? databaseClock.now()),
      );
    },

    async lockJob(job, options) {
      const id = job._id && storedId(job._id);
      if (!id) return undefined;
      const lockedAt = databaseClock.now();
      const [found] = await database.rows<Candidate>(
        `SELECT id, fence, locked_at, next_run_at FROM svc_job
          WHERE id = ? AND name = ? AND locked_at IS NULL AND next_run_at = ?`,
        [id, job.name, job.nextRunAt],
      );
      return found && claim(found, options?.lastModifiedBy, lockedAt);
    },

    async unlockJob(job: JobParameters) {
      const id = job._id && storedId(job._id);
      const claimed = claimOf(job);
      if (!id || !claimed) return;
      // A one-off job that is running has no due time. Only an expired lock makes it run again, so its lock is kept.
      await database.run(
        `UPDATE svc_job SET locked_at = NULL, locked_by = NULL
          WHERE id = ? AND fence = ? AND locked_at IS NOT NULL AND next_run_at IS NOT NULL`,
        [id, claimed.fence],
      );
    },

    async unlockJobs(ids) {
      const stored = ids.flatMap((id) => storedId(id) ?? []);
      if (stored.length === 0) return;
      // Agenda unlocks jobs to run them again, which needs a due time.
      await database.run(
        `UPDATE svc_job SET locked_at = NULL, locked_by = NULL, next_run_at = COALESCE(next_run_at, NOW(3))
          WHERE id IN (?) AND locked_by = ?`,
        [stored, worker],
      );
    },
  };
}

/** Runs functions one after the other; a failed one does not stop the next. */
function createSequence(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
