import { expect } from 'chai';
import { connectDatabase, type ConnectedDatabase } from '#core/runtime/database/connect.js';
import { DatabaseUnavailable, isConflict, isConnectionLost } from '#core/runtime/database/errors.js';
import { usePlainUser } from '#test/support/read-only.js';
import { rejection, useDatabase } from '#test/support/use-database.js';
import { needPlainServer } from '#test/support/vitess.js';

const size = 4;

describe('A database server that becomes read-only', () => {
  needPlainServer('users and SET GLOBAL');
  const test = useDatabase();
  const { create, setReadOnly } = usePlainUser();
  const parts: { database?: ConnectedDatabase; url?: string } = {};
  const database = (): ConnectedDatabase => {
    if (!parts.database) throw new Error('The database is not open yet.');
    return parts.database;
  };
  before(async () => {
    await test.direct.run('CREATE TABLE thing (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB');
    parts.url = await create(test.url);
  });
  beforeEach(async () => {
    parts.database = await connectDatabase({ url: parts.url ?? '', poolSize: size });
  });
  afterEach(async () => {
    await setReadOnly(false);
    await parts.database?.close();
  });

  /** The ids of all connections of the pool. */
  const connections = async (): Promise<number[]> => {
    const taken = await Promise.all(Array.from({ length: size }, () => database().acquire()));
    const rows = await Promise.all(
      taken.map(({ session }) => session.rows<{ id: number }>('SELECT CONNECTION_ID() AS id')),
    );
    await Promise.all(taken.map(({ release }) => release()));
    return rows.map(([row]) => row?.id ?? 0);
  };

  it('counts as lost, inside a transaction and outside', async () => {
    await setReadOnly(true);
    const outside = await rejection(database().run('INSERT INTO thing VALUES (1)'));
    expect([isConnectionLost(outside), isConflict(outside)]).to.deep.equal([true, false]);
    const inside = await rejection(database().transaction((session) => session.run('INSERT INTO thing VALUES (1)')));
    expect(inside).to.be.instanceOf(DatabaseUnavailable);
    expect(await database().rows('SELECT * FROM thing')).to.deep.equal([]);
    await setReadOnly(false);
    await database().run('INSERT INTO thing VALUES (1)');
  });

  for (const [how, write] of [
    ['a statement', () => database().run('INSERT INTO thing VALUES (2)')],
    ['a transaction', () => database().transaction((session) => session.run('INSERT INTO thing VALUES (2)'))],
    ['a batch', () => database().commit([{ sql: 'INSERT INTO thing VALUES (2)', parameters: [] }])],
  ] as const) {
    it(`loses all connections that were open when ${how} is refused, so that new ones reach the new primary`, async () => {
      const open = await connections();
      await setReadOnly(true);
      await rejection(write());
      await setReadOnly(false);
      expect(Math.min(...(await connections()))).to.be.greaterThan(Math.max(...open));
    });
  }

  it('is served by a transaction that runs again where another server takes over at once', async () => {
    await setReadOnly(true);
    await database().transaction(async (session) => {
      await session.run('INSERT INTO thing VALUES (3)').catch(async (error: unknown) => {
        await setReadOnly(false);
        throw error;
      });
    });
    expect(await database().rows('SELECT id FROM thing WHERE id = 3')).to.deep.equal([{ id: 3 }]);
  });
});
