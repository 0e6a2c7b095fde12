import type { Deployment } from '#core/kernel/deployment.js';
import { databaseProblems } from '#core/runtime/database/check.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { Log } from '#core/runtime/log.js';

/**
 * Database settings that would lose acknowledged writes stop the start in production; elsewhere they are said.
 * @throws Error with every problem and its mend
 */
export async function checkDatabase(database: ConnectedDatabase, { production }: Deployment, log: Log): Promise<void> {
  const problems = await databaseProblems(database);
  if (production && problems.length > 0) {
    throw new Error(
      problems
        .map(({ message, fix }) => `The database server is not safe for production: ${message}\n  ${fix}`)
        .join('\n'),
    );
  }
  for (const { message, fix } of problems) log.warn({ fix }, message);
}
