import type { Session } from '../session.js';
import type { DatabaseProblem } from './start-problem.js';

/**
 * Checks the settings of Vitess that svc cannot work with. svc needs no other code for Vitess: see
 * docs/decisions/0137-vitess.md.
 * @returns the problems; empty on other servers
 */
export async function vitessProblems(database: Pick<Session, 'rows'>): Promise<DatabaseProblem[]> {
  // Without another column: vtgate would let its MySQL answer.
  const [server] = await database.rows<{ version: string }>('SELECT VERSION() AS version');
  if (!/vitess/i.test(server?.version ?? '')) return [];
  const [session] = await database.rows<{ strategy: string; name: string }>(
    'SELECT @@ddl_strategy AS strategy, DATABASE() AS name',
  );
  const keyspaces = await database.rows<{ Keyspace: string; Sharded: string }>('SHOW VSCHEMA KEYSPACES');
  const problems: DatabaseProblem[] = [];
  const name = session?.name.replace(/[:@].*$/, '') ?? '';
  if (keyspaces.some(({ Keyspace, Sharded }) => Keyspace === name && Sharded === 'true'))
    problems.push({
      message: `The keyspace "${name}" of Vitess is sharded, and svc needs all of its tables in one shard.`,
      fix: 'Name a keyspace in SVC_DATABASE_URL whose VSchema has "sharded": false.',
    });
  const strategy = session?.strategy ?? '';
  if (!['', 'direct'].includes(strategy.split(' ')[0] ?? ''))
    problems.push({
      message: `ddl_strategy of Vitess is "${strategy}": migrations would run later than svc needs them.`,
      fix: 'Start vtgate with --ddl-strategy=direct.',
    });
  return problems;
}
