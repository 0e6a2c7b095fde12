import type { JobParameters, JobRepository } from 'agenda';
import type { Database } from '#core/runtime/database/session.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { claimOf, type ClaimedJob } from './claim.js';
import { storedId, toJob, type JobRow } from './row.js';

/** The row a claim is about to be made on, as it was read. */
type Candidate = Pick<JobRow, 'id' | 'fence' | 'locked_at' | 'next_run_at'>;

/** How often a claim is tried when others are always faster. The next scan goes on. */
const tries = 20;

// Two reads along the index, never one with OR, which would sort all due rows of the name.
const nextCandidates = `
  (SELECT id, fence, locked_at, next_run_at FROM svc_job
    WHERE name = ? AND disabled = 0 AND locked_at <= NOW(3) - INTERVAL ? MICROSECOND ORDER BY locked_at LIMIT 1)
  UNION ALL
  (SELECT id, fence, locked_at, next_run_at FROM svc_job
    WHERE name = ? AND disabled = 0 AND locked_at IS NULL AND next_run_at <= ?
    ORDER BY next_run_at, priority DESC LIMIT 1)`;

/**
 * The locking half of the repository.
 *
 * Whose clock: a lock is written and judged by the database's NOW(3) alone. Agenda hands over moments of the local
 * clock; of those, the lock deadline is turned into an age ("locked for longer than this") before it is used.
 * `nextRunAt` and the scan's end stay as Agenda gave them, moments in UTC: a node whose clock is wrong runs ticks early
 * or late, never two at once. The `lockedAt` that Agenda gets is local again, taken before the claim was sent, so that
 * it believes its lock to end no later than it does.
 */
export function lockMethods(
  database: Database,
): Pick<JobRepository, 'getNextJobToRun' | 'lockJob' | 'unlockJob' | 'unlockJobs'> {
  const worker = idBytes(newId());
  const inTurn = turns();

  async function claim(found: Candidate, by: string | undefined, lockedAt: Date): Promise<ClaimedJob | undefined> {
    // next_run_at too: without it a job that another process ran and gave back between our read and this ran twice.
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
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const found = await database.rows<Candidate>(nextCandidates, [name, lockAgeMs * 1_000, name, scanEnd]);
      if (found.length === 0) return undefined;
      for (const candidate of found) {
        const job = await claim(candidate, by, lockedAt);
        if (job) return job;
      }
    }
    return undefined;
  }

  return {
    // Agenda asks for all names at once; in turn, its scan takes one connection and not the whole pool.
    getNextJobToRun(name, nextScanAt, lockDeadline, now, options) {
      const lockAgeMs = (now ?? new Date()).getTime() - lockDeadline.getTime();
      return inTurn(() => claimNext(name, nextScanAt, lockAgeMs, options?.lastModifiedBy, now ?? new Date()));
    },

    async lockJob(job, options) {
      const id = job._id && storedId(job._id);
      if (!id) return undefined;
      const lockedAt = new Date();
      const [found] = await database.rows<Candidate>(
        `SELECT id, fence, locked_at, next_run_at FROM svc_job
          WHERE id = ? AND name = ? AND locked_at IS NULL AND next_run_at = ?`,
        [id, job.name, job.nextRunAt],
      );
      return found && claim(found, options?.lastModifiedBy, lockedAt);
    },

    async unlockJob(job: JobParameters) {
      const id = job._id && storedId(job._id);
      const held = claimOf(job);
      if (!id || !held) return;
      // A one-off whose run began has no due time: its lock running out is all that brings it back, so that one stays.
      await database.run(
        `UPDATE svc_job SET locked_at = NULL, locked_by = NULL
          WHERE id = ? AND fence = ? AND locked_at IS NOT NULL AND next_run_at IS NOT NULL`,
        [id, held.fence],
      );
    },

    async unlockJobs(ids) {
      const stored = ids.flatMap((id) => storedId(id) ?? []);
      if (stored.length === 0) return;
      // "So that they can be re-run": without a due time they never would be.
      await database.run(
        `UPDATE svc_job SET locked_at = NULL, locked_by = NULL, next_run_at = COALESCE(next_run_at, NOW(3))
          WHERE id IN (?) AND locked_by = ?`,
        [stored, worker],
      );
    },
  };
}

/** Lets one piece of work run after the other, whatever became of the one before. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
