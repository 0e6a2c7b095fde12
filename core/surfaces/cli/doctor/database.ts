import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseProblems } from '#core/runtime/database/check.js';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { ok, problem, skipped, type Finding } from './finding.js';
import type { CoreSettings } from './settings.js';

const offsetMs = 5_000;

/** The database that the settings name, or the private one while it runs: reachable, safe, and on time. */
export async function checkDatabase({ databaseUrl, secretKey, stateDir }: CoreSettings): Promise<Finding[]> {
  const own = await readFile(join(stateDir, 'database', 'running-at'), 'utf8').catch(() => undefined);
  const url = databaseUrl ?? own;
  if (url === undefined)
    return [skipped('database', 'svc’s private database server does not run; it starts and stops with `npm start`.')];
  const secret =
    databaseUrl !== undefined && secretKey === undefined
      ? [
          problem(
            'database',
            'SVC_DATABASE_URL is set and SVC_SECRET_KEY is not.',
            'Make a key once with `openssl rand -base64 32` and keep it safe.',
          ),
        ]
      : [];
  return [...secret, ...(await look(url))];
}

async function look(url: string): Promise<Finding[]> {
  const { host, pathname } = new URL(url);
  const where = `${host}${pathname}`;
  try {
    const database = await connectDatabase({ url, poolSize: 2 });
    try {
      const problems = await databaseProblems(database);
      const offset = Math.abs(database.clockOffsetMs);
      return [
        ok('database', `${where} answers.`),
        ...problems.map(({ message, fix }) => problem('database', message, fix)),
        ...(offset > offsetMs
          ? [
              problem(
                'clock',
                `The database’s clock differs from this machine’s by ${Math.round(offset / 1000)} s.`,
                'Keep both on time with NTP.',
              ),
            ]
          : []),
      ];
    } finally {
      await database.close();
    }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [problem('database', `${where} cannot be reached: ${words}`, mendOf(words))];
  }
}

function mendOf(words: string): string {
  if (/unknown database/i.test(words)) return 'svc creates it at its start, where the user may: run `npm start`.';
  if (/access denied/i.test(words)) return 'Correct user and password in SVC_DATABASE_URL.';
  return 'Start the database server, and correct host and port in SVC_DATABASE_URL.';
}
