import type { Session } from '../../database/session.js';
import type { Filter } from './filter.js';
import { toJob, type JobRow, type SavedJob } from './row.js';

/** The one job that `where` selects by a unique index; undefined if there is none. */
export async function readJob<DATA>(session: Session, where: Filter): Promise<SavedJob<DATA> | undefined> {
  const [row] = await session.rows<JobRow<DATA>>(`SELECT * FROM svc_job WHERE ${where.sql}`, where.values);
  return row && toJob(row);
}
