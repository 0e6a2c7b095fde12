import { createHash } from 'node:crypto';
import { toJobId, type JobParameters } from 'agenda';
import { ObjectId, type Collection } from 'mongodb';
import { uniqueKey } from '../unique.js';

/** A job as the official backend keeps it, as far as it is read here. */
export interface JobDocument<DATA = unknown> {
  _id: ObjectId;
  name: string;
  data: DATA;
  repeatInterval?: string | number | null;
  nextRunAt: Date | null;
  lockedAt?: Date | null;
  debounceStartedAt?: Date | null;
}

export type Jobs = Collection<JobDocument>;

/** The document's id that a job's id stands for; undefined for what cannot be one. */
export const documentId = (id: string): ObjectId | undefined => (ObjectId.isValid(id) ? new ObjectId(id) : undefined);

/**
 * The id of the one document that a `single` or `unique` job may have. Made from what makes it unique, it lets the
 * index that every collection has be the judge of racers; the official upserts have none, and racers each insert one.
 */
export function identityOf<DATA>({ type, name, unique }: JobParameters<DATA>): ObjectId | undefined {
  if (type !== 'single' && !unique) return undefined;
  const constraint = type === 'single' ? 'single' : uniqueKey(unique ?? {});
  const digest = createHash('sha256').update(name).update('\0').update(constraint).digest();
  return new ObjectId(digest.subarray(0, 12));
}

/** What a save may change of an existing job: not its lock, run times, failures or progress. */
export function scheduleFields(job: JobParameters, by: string | null) {
  return {
    type: job.type,
    priority: job.priority,
    data: job.data,
    repeatInterval: job.repeatInterval ?? null,
    repeatTimezone: job.repeatTimezone ?? null,
    repeatAt: job.repeatAt ?? null,
    startDate: job.startDate ?? null,
    endDate: job.endDate ?? null,
    skipDays: job.skipDays ?? null,
    fork: job.fork ?? null,
    ...(job.disabled !== undefined && { disabled: job.disabled }),
    lastModifiedBy: by,
  };
}

/** The job that was saved, with what the stored document decided. */
export function saved<DATA>(job: JobParameters<DATA>, stored: Omit<JobDocument<DATA>, 'name'>): JobParameters<DATA> {
  return {
    ...job,
    _id: toJobId(stored._id.toHexString()),
    data: stored.data,
    nextRunAt: stored.nextRunAt,
    ...(stored.debounceStartedAt && { debounceStartedAt: stored.debounceStartedAt }),
  };
}
