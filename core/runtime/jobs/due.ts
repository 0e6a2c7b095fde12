import type { DebounceOptions, JobParameters } from 'agenda';

/** When a job runs next, and since when its runs have been held together. */
export type DueTime = Pick<JobParameters, 'nextRunAt' | 'debounceStartedAt'>;

/** What of a stored job the next due time depends on. */
export interface StoredJob {
  nextRunAt: Date | null;
  debounceStartedAt?: Date | null;
  repeatInterval?: string | number | null;
}

/**
 * When a job that is saved by its name or its `unique` constraint runs next.
 * @param stored the job as it is there already; undefined for a new one
 */
export function dueTime<DATA>(job: JobParameters<DATA>, stored: StoredJob | undefined, now: Date): DueTime {
  if (job.type === 'single')
    return { nextRunAt: stored && stands(job, stored, now) ? stored.nextRunAt : job.nextRunAt };
  const debounce = job.unique && job.uniqueOpts?.debounce;
  return debounce ? debounced(debounce, job.nextRunAt, stored, now) : { nextRunAt: job.nextRunAt };
}

/**
 * every() saves its job at each start of each process. As long as its interval is the same, a due time that is there
 * stands: before "now", which only means "the first time at once"; and before cron's next time, while the one that has
 * just come is not taken up yet.
 */
function stands<DATA>(job: JobParameters<DATA>, stored: StoredJob, now: Date): boolean {
  const [before, after] = [stored.repeatInterval, job.repeatInterval].map((interval) => String(interval ?? ''));
  if (stored.nextRunAt === null || before !== after) return false;
  const asksForNow = job.nextRunAt !== null && job.nextRunAt <= now;
  return asksForNow || (after !== '' && stored.nextRunAt <= now);
}

function debounced(options: DebounceOptions, given: Date | null, stored: StoredJob | undefined, now: Date): DueTime {
  const { delay, maxWait = Infinity } = options;
  const later = new Date(now.getTime() + delay);
  const started = stored?.debounceStartedAt;
  const waitedMs = started ? now.getTime() - started.getTime() : 0;
  // A window is over when its run was taken up: then the next save opens another, or a debounced job would run once in
  // its life.
  const pending = stored?.nextRunAt ?? null;
  if (options.strategy === 'leading') {
    const isOpen = started && (pending !== null || waitedMs < delay);
    return isOpen ? { nextRunAt: pending, debounceStartedAt: started } : { nextRunAt: given, debounceStartedAt: now };
  }
  if (!pending || !started) return { nextRunAt: later, debounceStartedAt: now };
  return { nextRunAt: waitedMs >= maxWait ? now : later, debounceStartedAt: started };
}
