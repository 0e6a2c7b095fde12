import { expect } from 'chai';
import type { Session } from '#core/runtime/database/session.js';
import { startProblem } from '#core/runtime/database/server/start-problem.js';
import { vitessProblems } from '#core/runtime/database/server/vitess.js';
import { useDatabase } from '#test/support/use-database.js';

/** What Vitess 24 answers to the questions of a start. */
interface Answers {
  readonly strategy: string;
  readonly name: string;
  readonly sharded: 'true' | 'false';
}

/** A stand-in for vtgate, with recorded answers. */
function vtgate({ strategy, name, sharded }: Answers): Pick<Session, 'rows'> {
  const answers: Readonly<Record<string, readonly object[]>> = {
    'SELECT VERSION() AS version': [{ version: '8.4.6-Vitess' }],
    'SELECT @@ddl_strategy AS strategy, DATABASE() AS name': [{ strategy, name }],
    'SHOW VSCHEMA KEYSPACES': [
      { Keyspace: 'lookup', Sharded: 'false', 'Foreign Key': 'unmanaged', Comment: '' },
      { Keyspace: 'svc', Sharded: sharded, 'Foreign Key': 'unmanaged', Comment: '' },
    ],
  };
  function rows<Row extends object>(sql: string): Promise<Row[]>;
  async function rows(sql: string): Promise<readonly object[]> {
    const found = answers[sql];
    if (!found) throw new Error(`No answer was recorded for ${sql}.`);
    return found;
  }
  return { rows };
}

describe('A start on Vitess', () => {
  const test = useDatabase();
  const good: Answers = { strategy: 'direct', name: 'svc', sharded: 'false' };
  const problems = async (changed: Partial<Answers>): Promise<string[]> =>
    (await vitessProblems(vtgate({ ...good, ...changed }))).map(({ message, fix }) => `${message} ${fix}`);

  it('finds no problem on the server of this run', async () => {
    expect(await vitessProblems(test.direct)).to.deep.equal([]);
  });

  it('needs a keyspace without shards, whatever else is in its name', async () => {
    expect(await problems({})).to.deep.equal([]);
    for (const name of ['svc', 'svc@primary', 'svc:-80']) {
      const [problem = ''] = await problems({ sharded: 'true', name });
      expect(problem).to.contain('The keyspace "svc" of Vitess is sharded').and.contain('SVC_DATABASE_URL');
    }
    expect(await problems({ sharded: 'true', name: 'lookup' })).to.deep.equal([]);
  });

  it('needs migrations that have run when they are answered', async () => {
    const [problem = ''] = await problems({ strategy: 'vitess --postpone-completion' });
    expect(problem).to.contain('ddl_strategy').and.contain('--ddl-strategy=direct');
    expect(await problems({ strategy: 'direct --allow-zero-in-date' })).to.deep.equal([]);
  });

  it('names the setting that refuses migrations', () => {
    const error = Object.assign(new Error('direct DDL is disabled'), { errno: 1105 });
    const place = { hosts: [{ host: 'vtgate', port: 3306 }], user: 'svc', database: 'svc' } as const;
    expect(startProblem(error, place)?.fix).to.contain('--enable-direct-ddl=true');
  });
});
