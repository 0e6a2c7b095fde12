import { isUnavailable } from '../database/errors.js';
import { idText } from '../id.js';
import type { Log } from '../log.js';

/** The number of rows that are read at a time. */
const pageSize = 200;

interface Round<Row> {
  readonly log: Pick<Log, 'error'>;
  /** The name of the recurring job, for the log. */
  readonly job: string;
  /** Reads the rows whose id is above `after`, in the order of their ids, at most `limit` of them. */
  read(after: Buffer, limit: number): Promise<readonly Row[]>;
  handle(row: Row): Promise<void>;
}

/**
 * Handles each row that a recurring job finds, once. It reads them in pages by id, so that rows which stay due are not
 * read again in the same round. A row that fails is logged, and the others are still handled; the job's next round
 * finds it again.
 * @throws the errors of `read`, and a lost connection to the database, which ends the round
 */
export async function forEachRow<Row extends { id: Buffer }>({ log, job, read, handle }: Round<Row>): Promise<void> {
  for (let after: Buffer = Buffer.alloc(16); ;) {
    const rows = await read(after, pageSize);
    for (const row of rows)
      try {
        await handle(row);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        log.error(
          { err: error, job, id: idText(row.id) },
          'A recurring job failed for one row and continues with the others.',
        );
      }
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.id;
  }
}
