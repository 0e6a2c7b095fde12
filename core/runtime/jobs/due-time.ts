import { dayMs, hourMs, minuteMs } from '../clock.js';
import type { DebounceOptions, JobParameters } from 'agenda';

/** When a job runs next, and when its debounce window began. */
type DueTime = Pick<JobParameters, 'nextRunAt' | 'debounceStartedAt'>;

/** The fields of a stored job that its next due time depends on. */
interface StoredJob {
  nextRunAt: Date | null;
  debounceStartedAt?: Date | null;
  repeatInterval?: string | number | null;
}

const unitMs = { second: 1_000, minute: minuteMs, hour: hourMs, day: dayMs, week: 7 * dayMs };

/** The milliseconds of an interval like “5 minutes”; undefined for a cron expression. */
export function intervalMs(interval: string | number | null | undefined): number | undefined {
  const [, count, unit] = /^(\d+(?:\.\d+)?) (second|minute|hour|day|week)s?$/.exec(String(interval ?? '')) ?? [];
  const [, ms] = Object.entries(unitMs).find(([name]) => name === unit) ?? [];
  return ms === undefined ? undefined : Number(count) * ms;
}

/** Whether a stored due time is later than one interval from now, which means that it comes from a wrong clock. */
export function isTooFar({ nextRunAt, repeatInterval }: StoredJob, now: Date): boolean {
  const interval = intervalMs(repeatInterval);
  return nextRunAt !== null && interval !== undefined && nextRunAt.getTime() > now.getTime() + interval + slackMs;
}

/** The clocks of two nodes may differ by less. */
const slackMs = 1_000;

/**
 * The due time of a job that is saved by its name or its `unique` constraint.
 * @param stored the stored job; undefined for a new one
 */
export function dueTime<DATA>(job: JobParameters<DATA>, stored: StoredJob | undefined, now: Date): DueTime {
  if (job.type === 'single')
    return { nextRunAt: stored && keepsDueTime(job, stored, now) ? stored.nextRunAt : job.nextRunAt };
  const debounce = job.unique && job.uniqueOpts?.debounce;
  return debounce ? debounced(debounce, job.nextRunAt, stored, now) : { nextRunAt: job.nextRunAt };
}

/**
 * Every process saves its recurring jobs when it starts. While the interval is unchanged, the stored due time is kept:
 * instead of "now", which only means that a new job runs immediately; and instead of cron's next time, if the stored
 * time has passed and its run has not been claimed. A due time later than one interval from now is corrected.
 */
function keepsDueTime<DATA>(job: JobParameters<DATA>, stored: StoredJob, now: Date): boolean {
  const [before, after] = [stored.repeatInterval, job.repeatInterval].map((interval) => String(interval ?? ''));
  if (stored.nextRunAt === null || before !== after || isTooFar(stored, now)) return false;
  const asksForNow = job.nextRunAt !== null && job.nextRunAt <= now;
  return asksForNow || (after !== '' && stored.nextRunAt <= now);
}

function debounced(options: DebounceOptions, given: Date | null, stored: StoredJob | undefined, now: Date): DueTime {
  const { delay, maxWait = Infinity } = options;
  const later = new Date(now.getTime() + delay);
  const started = stored?.debounceStartedAt;
  const waitedMs = started ? now.getTime() - started.getTime() : 0;
  // A window ends when its run is claimed. The next save then opens another one; otherwise a debounced job would run
  // only once.
  const pending = stored?.nextRunAt ?? null;
  if (options.strategy === 'leading') {
    const isOpen = started && (pending !== null || waitedMs < delay);
    return isOpen ? { nextRunAt: pending, debounceStartedAt: started } : { nextRunAt: given, debounceStartedAt: now };
  }
  if (!pending || !started) return { nextRunAt: later, debounceStartedAt: now };
  return { nextRunAt: waitedMs >= maxWait ? now : later, debounceStartedAt: started };
}
