import { expect } from 'chai';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { rejection, useDatabase } from '#test/support/use-database.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('A session', () => {
  const test = useDatabase({ poolSize: 5 });
  before(() =>
    test.direct.run(
      'CREATE TABLE kept (id INT NOT NULL PRIMARY KEY, small TINYINT NOT NULL, at DATETIME(3) NOT NULL, big BIGINT NOT NULL, exact VARBINARY(20) NOT NULL UNIQUE)',
    ),
  );
  const moment = new Date('2026-03-29T01:30:00.123Z');
  const row: SqlValue[] = [1, 1, moment, 1n, Buffer.from('a')];
  const insert = 'REPLACE INTO kept VALUES (?, ?, ?, ?, ?)';

  it('uses UTC, READ COMMITTED and strict mode on every connection of the pool', async function () {
    skipOnVitess(this, 'CONNECTION_ID of each connection');
    const level = test.database.flavour === 'mariadb' ? 'tx_isolation' : 'transaction_isolation';
    const leases = await Promise.all(Array.from({ length: 5 }, () => test.database.acquire()));
    const found = await Promise.all(
      leases.map(({ session }) =>
        session.rows<{ id: number; zone: string; isolation: string; mode: string; wait: number }>(
          `SELECT CONNECTION_ID() AS id, @@time_zone AS zone, @@${level} AS isolation, @@sql_mode AS mode, @@innodb_lock_wait_timeout AS wait`,
        ),
      ),
    );
    await Promise.all(leases.map(({ release }) => release()));
    const sessions = found.flat();
    expect(new Set(sessions.map(({ id }) => id)).size).to.equal(5);
    for (const { zone, isolation, mode, wait } of sessions) {
      expect([zone, isolation, wait]).to.deep.equal(['+00:00', 'READ-COMMITTED', 5]);
      expect(mode).to.contain('STRICT_TRANS_TABLES');
    }
  });

  it('sees commits of others within one transaction', async () => {
    await test.database.run(insert, row);
    await test.database.transaction(async (db) => {
      await db.rows('SELECT small FROM kept WHERE id = 1');
      await test.direct.run('UPDATE kept SET small = 7 WHERE id = 1');
      expect(await db.rows('SELECT small FROM kept WHERE id = 1')).to.deep.equal([{ small: 7 }]);
    });
  });

  it('keeps times to the millisecond, also in the hour that daylight saving skips', async () => {
    await test.database.run(insert, row);
    const [found] = await test.database.rows<{ at: Date }>('SELECT at FROM kept WHERE id = 1');
    expect(found?.at.toISOString()).to.equal('2026-03-29T01:30:00.123Z');
  });

  it('refuses values that are too long instead of truncating them', async () => {
    const unfit: SqlValue[][] = [
      [2, 300, moment, 1n, Buffer.from('b')],
      [2, 1, moment, 1n, Buffer.alloc(21)],
      [2, null, moment, 1n, Buffer.from('b')],
    ];
    for (const bad of unfit) await rejection(test.database.run(insert, bad));
    expect(await test.database.rows('SELECT id FROM kept WHERE id = 2')).to.deep.equal([]);
  });

  it('counts the rows that a condition matched, changed or not', async () => {
    await test.database.run(insert, row);
    const { affectedRows } = await test.database.run('UPDATE kept SET small = 1 WHERE id = 1 AND small = 1');
    expect(affectedRows).to.equal(1);
  });

  it('returns counts as numbers, and bigints beyond 2^53 exactly', async () => {
    await test.database.run(insert, [1, 1, new Date(), 9_007_199_254_740_993n, Buffer.from('a')]);
    const [found] = await test.database.rows<{ big: string; n: number }>('SELECT big, COUNT(*) AS n FROM kept');
    expect(found).to.deep.equal({ big: '9007199254740993', n: 1 });
  });

  it('distinguishes values in exact columns that collations treat as equal', async () => {
    await test.database.run('DELETE FROM kept');
    for (const [index, word] of ['key', 'KEY', 'kéy', 'key ', 'key\u0000'].entries()) {
      await test.database.run(insert, [index, 1, new Date(), 1n, Buffer.from(word)]);
    }
    expect(await test.database.rows("SELECT id FROM kept WHERE exact = 'key'")).to.deep.equal([{ id: 0 }]);
  });

  it('returns the result of each statement of a batch, and run() that of the last', async () => {
    await test.database.run('DELETE FROM kept');
    const answers = await test.database.batch('SELECT 1 AS a; SELECT 2 AS b');
    expect(answers).to.deep.equal([[{ a: 1 }], [{ b: 2 }]]);
    const outcome = await test.database.run(`${insert}; UPDATE kept SET small = 2 WHERE id = 99`, row);
    expect(outcome.affectedRows).to.equal(0);
  });
});
