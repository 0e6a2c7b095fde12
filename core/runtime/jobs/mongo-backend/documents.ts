import { createHash } from 'node:crypto';
import { toJobId, type JobParameters } from 'agenda';
import { ObjectId, type Collection } from 'mongodb';
import { uniqueKey } from '../unique-key.js';

/** The fields of the official backend's documents that are read here. */
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

/** The document id of a job id; undefined if it is not valid. */
export const documentId = (id: string): ObjectId | undefined => (ObjectId.isValid(id) ? new ObjectId(id) : undefined);

/**
 * The id of the one document that a `single` or `unique` job may have. It is derived from the job's unique fields, so
 * that the collection's index on ids rejects duplicates. The official upserts have no such index: concurrent saves each
 * insert a document.
 */
export function identityOf<DATA>({ type, name, unique }: JobParameters<DATA>): ObjectId | undefined {
  if (type !== 'single' && !unique) return undefined;
  const constraint = type === 'single' ? 'single' : uniqueKey(unique ?? {});
  const digest = createHash('sha256').update(name).update('\0').update(constraint).digest();
  return new ObjectId(digest.subarray(0, 12));
}

/** The fields that a save may change in an existing job: not its lock, run times, failures or progress. */
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

/** The saved job, with the values of the stored document. */
export function saved<DATA>(job: JobParameters<DATA>, stored: Omit<JobDocument<DATA>, 'name'>): JobParameters<DATA> {
  return {
    ...job,
    _id: toJobId(stored._id.toHexString()),
    data: stored.data,
    nextRunAt: stored.nextRunAt,
    ...(stored.debounceStartedAt && { debounceStartedAt: stored.debounceStartedAt }),
  };
}
