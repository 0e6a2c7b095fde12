import { databaseAddress } from '#core/runtime/database/address.js';
import { StartLockHeld, UnexpectedSchema } from '#core/runtime/database/migrate.js';
import { startProblem } from '#core/runtime/database/server/start-problem.js';

/** The start failed for a reason that the operator can correct: the message states how, and no stack is printed. */
export class StartError extends Error {
  override name = 'StartError';
}

/**
 * Runs a step of the start that uses the database.
 * @throws StartError for errors that a setting, a right, another version or a backup solves; any other error unchanged
 */
export async function withDatabase<T>(url: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof UnexpectedSchema || error instanceof StartLockHeld)
      throw new StartError(error.message, { cause: error });
    const problem = startProblem(error, databaseAddress(url));
    if (!problem) throw error;
    throw new StartError(`${problem.message}\n  ${problem.fix}`, { cause: error });
  }
}
