import type { Database, Session } from './session.js';
import { joined, type SqlValue, type Statement } from './statement.js';

/** Rows per statement: few enough not to hold locks for long. */
const batchSize = 1_000;

/**
 * Deletes all rows that a statement matches, in batches, each in its own transaction.
 * @param statement a DELETE without LIMIT, whose rows an index finds
 */
export async function deleteInBatches(
  database: Pick<Database, 'run'>,
  statement: string,
  parameters: readonly SqlValue[],
): Promise<void> {
  for (let deleted = batchSize; deleted === batchSize;)
    deleted = (await database.run(`${statement} LIMIT ${batchSize}`, parameters)).affectedRows;
}

/** Rows that one statement of `deleteRows` deletes. Vitess refuses statements that change more than 10,000. */
const mostAtOnce = 5_000;

/**
 * Deletes rows of several tables in a transaction: in one round trip, unless a table has more than 5,000 of them.
 * @param deletes DELETE statements without LIMIT
 */
export async function deleteRows(db: Session, deletes: readonly Statement[]): Promise<void> {
  let left = deletes.map(({ sql, parameters }) => ({ sql: `${sql} LIMIT ${mostAtOnce}`, parameters }));
  while (left.length > 0) {
    const outcomes = [await db.batch(joined(left))].flat();
    left = left.filter((_, index) => {
      const outcome = outcomes[index];
      return outcome !== undefined && 'affectedRows' in outcome && outcome.affectedRows === mostAtOnce;
    });
  }
}
