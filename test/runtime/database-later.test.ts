import { expect } from 'chai';
import { isDuplicate } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { rejection, useDatabase } from '#test/support/use-database.js';

describe('A statement that is put off', () => {
  const test = useDatabase();
  before(() => test.direct.run('CREATE TABLE put_off (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB'));
  beforeEach(() => test.direct.run('DELETE FROM put_off'));

  const add = 'INSERT INTO put_off VALUES (?)';
  const ids = async (db: Session = test.direct): Promise<number[]> =>
    (await db.rows<{ id: number }>('SELECT id FROM put_off ORDER BY id')).map(({ id }) => id);

  it('goes with COMMIT where nothing follows', async () => {
    await test.database.transaction((db) => db.later(add, [1]));
    expect(await ids()).to.deep.equal([1]);
  });

  it('goes before what follows, also before a prepared statement and TypeORM’s', async () => {
    await test.database.transaction(async (db) => {
      await db.later(add, [1]);
      await db.later(add, [2]);
      expect(await ids(db)).to.deep.equal([1, 2]);
      await db.later(add, [3]);
      expect(await db.known('SELECT id FROM put_off WHERE id = ?', ['3'])).to.have.length(1);
      await db.later(add, [4]);
      const { affectedRows } = await db.run('UPDATE put_off SET id = 40 WHERE id = ?', [4]);
      expect(affectedRows).to.equal(1);
    });
    expect(await ids()).to.deep.equal([1, 2, 3, 40]);
  });

  it('is undone with the rest, sent or not', async () => {
    const error = await rejection(
      test.database.transaction(async (db) => {
        await db.later(add, [1]);
        await db.rows('SELECT 1');
        await db.later(add, [2]);
        throw new Error('no');
      }),
    );
    expect(error).to.have.property('message', 'no');
    expect(await ids()).to.deep.equal([]);
  });

  it('fails the transaction when it fails, with COMMIT as with what follows, whatever the work makes of it', async () => {
    await test.direct.run(add, [1]);
    const works: ((db: Session) => Promise<unknown>)[] = [
      (db) => db.later(add, [1]),
      async (db) => {
        await db.run(add, [2]);
        await db.later(add, [1]);
        await db.rows('SELECT 1');
      },
    ];
    for (const work of works) expect(isDuplicate(await rejection(test.database.transaction(work)))).to.equal(true);
    expect(await ids()).to.deep.equal([1]);
  });

  it('leaves the failure of what follows to those who asked for that', async () => {
    await test.direct.run(add, [1]);
    await test.database.transaction(async (db) => {
      await db.rows('SELECT 1');
      await db.later(add, [2]);
      const error = await rejection(db.run(add, [1]));
      expect(isDuplicate(error)).to.equal(true);
      await db.later(add, [3]);
    });
    expect(await ids()).to.deep.equal([1, 2, 3]);
  });

  it('is sent at once where no transaction is open, and when much is waiting', async () => {
    await test.database.later(add, [1]);
    expect(await ids()).to.deep.equal([1]);
    const many = Array.from({ length: 30_000 }, (_, index) => index + 10);
    await test.database.transaction(async (db) => {
      for (let from = 0; from < many.length; from += 5_000) {
        const some = many.slice(from, from + 5_000);
        await db.later(`INSERT INTO put_off VALUES ${some.map(() => '(?)').join(', ')}`, some);
      }
    });
    expect(await ids()).to.have.length(30_001);
  });
});
