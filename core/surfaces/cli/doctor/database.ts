import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseTls } from '#core/kernel/database-tls.js';
import { databaseAddress, placeOf } from '#core/runtime/database/address.js';
import { assertWritable, databaseProblems } from '#core/runtime/database/server/check.js';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import type { DatabaseTarget } from '#core/runtime/database/driver-options.js';
import { DatabaseUnavailable, isStatementTimeout } from '#core/runtime/database/errors.js';
import { startProblem } from '#core/runtime/database/server/start-problem.js';
import { largestTables, tablesText } from '#core/runtime/database/server/table-sizes.js';
import { ok, problem, skipped, type Finding } from './finding.js';
import { checkReplicas } from './replicas.js';
import { checkIdentity } from './identity.js';
import type { ServerSettings } from './settings.js';

const maxOffsetMs = 5_000;

/**
 * Checks that the configured database, or the running private one, is reachable, has safe settings and the right time.
 */
export async function checkDatabase(server: ServerSettings): Promise<Finding[]> {
  const { core } = server.settings;
  const { databaseUrl, secretKey, stateDir } = core;
  const own = await readFile(join(stateDir, 'database', 'running-at'), 'utf8').catch(() => undefined);
  const url = databaseUrl ?? own;
  if (url === undefined)
    return [skipped('database', 'The private database server is not running; it starts and stops with `npm start`.')];
  const secret =
    databaseUrl !== undefined && secretKey === undefined
      ? [
          problem(
            'database',
            'SVC_DATABASE_URL is set and SVC_SECRET_KEY is not.',
            'Create a key once with `openssl rand -base64 32` and keep it safe.',
          ),
        ]
      : [];
  return [...secret, ...(await check(server, { url, tls: databaseTls(core) }))];
}

async function check(server: ServerSettings, target: DatabaseTarget): Promise<Finding[]> {
  const { core } = server.settings;
  const address = databaseAddress(target.url);
  const where = `The database ${address.database} at ${placeOf(address)}`;
  try {
    const database = await connectDatabase({ ...target, poolSize: 2 });
    try {
      const problems = await databaseProblems(database);
      const { now, answeredAt } = database.openedAt;
      const offset = Math.abs(now.getTime() - (Date.now() - (performance.now() - answeredAt)));
      return [
        await checkWritable(database, where),
        ...problems.map(({ message, fix }) => problem('database', message, fix)),
        ...(offset > maxOffsetMs
          ? [
              problem(
                'clock',
                `The database’s clock differs from this machine’s by ${Math.round(offset / 1000)} s.`,
                'Synchronise both with NTP.',
              ),
            ]
          : []),
        ...(await checkIdentity(database, server)),
        await checkTables(database),
        ...(await checkReplicas(core, database)),
      ];
    } finally {
      await database.close();
    }
  } catch (error) {
    const found = startProblem(error, address);
    if (found) return [problem('database', found.message, found.fix)];
    const message = error instanceof Error ? error.message : String(error);
    return [problem('database', `${where} cannot be used: ${message}`, fixFor(message))];
  }
}

/** A read-only server answers questions, but every call that changes something answers 503. */
async function checkWritable(database: ConnectedDatabase, where: string): Promise<Finding> {
  try {
    await assertWritable(database);
    return ok('database', `${where} answers.`);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    return problem(
      'database',
      `${where} is read-only.`,
      'Point SVC_DATABASE_URL to the primary, or make this server writable: SET GLOBAL read_only = OFF.',
    );
  }
}

/** Names the largest tables and how fast they grow. */
async function checkTables(database: ConnectedDatabase): Promise<Finding> {
  try {
    const tables = await largestTables(database, database.openedAt.now);
    return tables.length === 0
      ? skipped('tables', 'The database has no tables: svc has not been started on it.')
      : { ...ok('tables', `The largest tables: ${tablesText(tables)}.`), tables };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return skipped(
      'tables',
      isStatementTimeout(error)
        ? 'The database did not say within 2 s how large its tables are.'
        : `How large the tables are cannot be read: ${reason}`,
    );
  }
}

function fixFor(message: string): string {
  if (/unknown database/i.test(message))
    return 'svc creates it at its start if the user has the privilege: run `npm start`.';
  return 'Start the database server, and correct host and port in SVC_DATABASE_URL.';
}
