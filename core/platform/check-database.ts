import type { Deployment } from '#core/kernel/deployment.js';
import { databaseProblems } from '#core/runtime/database/server/check.js';
import { vitessProblems } from '#core/runtime/database/server/vitess.js';
import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { Log } from '#core/runtime/log.js';
import { StartError } from './start-error.js';

/**
 * Checks the database server's version and the settings that svc's promises depend on. In development problems are only
 * logged.
 * @throws StartError in production, with all problems and how to fix them; everywhere for settings of Vitess that svc
 *   cannot work with
 */
export async function checkDatabase(
  database: ConnectedDatabase,
  { production }: Pick<Deployment, 'production'>,
  log: Log,
): Promise<void> {
  const [unusable] = await vitessProblems(database);
  if (unusable) throw new StartError(`${unusable.message}\n  ${unusable.fix}`);
  const problems = await databaseProblems(database);
  if (production && problems.length > 0) {
    throw new StartError(
      problems
        .map(({ message, fix }) => `The database server is not safe for production: ${message}\n  ${fix}`)
        .join('\n'),
    );
  }
  for (const { message, fix } of problems) log.warn({ fix }, message);
}
