import type { SqlValue } from './statement.js';
import type { Database } from './session.js';

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
