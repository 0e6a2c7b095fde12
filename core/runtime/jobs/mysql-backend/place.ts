import type { Session, SqlValue } from '#core/runtime/database/session.js';
import { toJob, type JobRow, type SavedJob } from './row.js';

/** Which row a job is in: a WHERE clause on one of the unique indexes, and its values. */
export interface Place {
  sql: string;
  values: SqlValue[];
}

/** The job at a place, if there is one. */
export async function readJob<DATA>(session: Session, { sql, values }: Place): Promise<SavedJob<DATA> | undefined> {
  const [row] = await session.rows<JobRow<DATA>>(`SELECT * FROM svc_job WHERE ${sql}`, values);
  return row && toJob(row);
}
