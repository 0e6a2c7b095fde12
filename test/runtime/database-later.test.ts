import { expect } from 'chai';
import { EntitySchema } from 'typeorm';
import { connectDatabase } from '#core/runtime/database/connect.js';
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
    await test.database.transaction((db) => db.defer(add, [1]));
    expect(await ids()).to.deep.equal([1]);
  });

  it('goes before what follows, also before a prepared statement and TypeORM’s', async () => {
    await test.database.transaction(async (db) => {
      await db.defer(add, [1]);
      await db.defer(add, [2]);
      expect(await ids(db)).to.deep.equal([1, 2]);
      await db.defer(add, [3]);
      expect(await db.prepared('SELECT id FROM put_off WHERE id = ?', ['3'])).to.have.length(1);
      await db.defer(add, [4]);
      const { affectedRows } = await db.run('UPDATE put_off SET id = 40 WHERE id = ?', [4]);
      expect(affectedRows).to.equal(1);
    });
    expect(await ids()).to.deep.equal([1, 2, 3, 40]);
  });

  it('is undone with the rest, sent or not', async () => {
    const error = await rejection(
      test.database.transaction(async (db) => {
        await db.defer(add, [1]);
        await db.rows('SELECT 1');
        await db.defer(add, [2]);
        throw new Error('no');
      }),
    );
    expect(error).to.have.property('message', 'no');
    expect(await ids()).to.deep.equal([]);
  });

  it('fails the transaction when it fails, with COMMIT as with what follows, whatever the work makes of it', async () => {
    await test.direct.run(add, [1]);
    const works: ((db: Session) => Promise<unknown>)[] = [
      (db) => db.defer(add, [1]),
      async (db) => {
        await db.run(add, [2]);
        await db.defer(add, [1]);
        await db.rows('SELECT 1');
      },
    ];
    for (const work of works) expect(isDuplicate(await rejection(test.database.transaction(work)))).to.equal(true);
    expect(await ids()).to.deep.equal([1]);
  });

  it('is sent by itself once it has failed with COMMIT, and fails then where it was asked for', async () => {
    await test.direct.run(add, [1]);
    const refused: boolean[] = [];
    await test.database.transaction(async (db) => {
      await db.run(add, [2]);
      await db.defer(add, [1]).catch((error: unknown) => refused.push(isDuplicate(error)));
    });
    expect(refused).to.deep.equal([true]);
    expect(await ids()).to.deep.equal([1, 2]);
  });

  it('leaves the failure of what follows to those who asked for that', async () => {
    await test.direct.run(add, [1]);
    await test.database.transaction(async (db) => {
      await db.rows('SELECT 1');
      await db.defer(add, [2]);
      const error = await rejection(db.run(add, [1]));
      expect(isDuplicate(error)).to.equal(true);
      await db.defer(add, [3]);
    });
    expect(await ids()).to.deep.equal([1, 2, 3]);
  });

  it('is sent at once where no transaction is open, and when much is waiting', async () => {
    await test.database.defer(add, [1]);
    expect(await ids()).to.deep.equal([1]);
    const many = Array.from({ length: 30_000 }, (_, index) => index + 10);
    await test.database.transaction(async (db) => {
      for (let from = 0; from < many.length; from += 5_000) {
        const some = many.slice(from, from + 5_000);
        await db.defer(`INSERT INTO put_off VALUES ${some.map(() => '(?)').join(', ')}`, some);
      }
    });
    expect(await ids()).to.have.length(30_001);
  });

  describe('in a deadlock, which leaves the connection without a transaction,', () => {
    const rows = new EntitySchema<{ id: number }>({
      name: 'put_off',
      columns: { id: { type: 'int', primary: true } },
    });
    /** What a deadlock is to who asks: the server has rolled everything back, and says so. */
    const deadlock = "ROLLBACK;\nSIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'Deadlock found'";

    it('lets nothing through behind it that would commit by itself', async () => {
      const database = await connectDatabase({ url: test.url, entities: [rows] });
      const behind: ((db: Session, id: number) => Promise<unknown>)[] = [
        (db, id) => db.insert(rows, { id }),
        (db, id) => db.update(rows, { id: 1 }, { id }),
        (db) => db.remove(rows, { id: 1 }),
        async (db, id) => {
          await db.select(rows, 'row').getMany();
          await db.run(add, [id]);
        },
      ];
      try {
        for (const write of behind) {
          await test.direct.run('DELETE FROM put_off');
          await test.direct.run(add, [1]);
          let tries = 0;
          await database.transaction(async (db) => {
            tries += 1;
            if (tries > 1) return;
            await db.rows('SELECT 1');
            await db.defer(deadlock);
            await write(db, 2);
          });
          expect(tries).to.equal(2);
          expect(await ids()).to.deep.equal([1]);
        }
      } finally {
        await database.close();
      }
    });

    it('the same where the work makes light of it', async () => {
      await test.direct.run('DELETE FROM put_off');
      let tries = 0;
      await test.database.transaction(async (db) => {
        tries += 1;
        await db.run(add, [tries]);
        if (tries === 1) await rejection(db.run(deadlock));
        await db.run(add, [10 + tries]).catch(() => undefined);
      });
      expect(await ids()).to.deep.equal([2, 12]);
    });

    it('the same where it is the opening that meets one', async () => {
      const database = await connectDatabase({ url: test.url, entities: [rows] });
      let tries = 0;
      try {
        await database.transact({
          get opening() {
            return { sql: tries === 0 ? deadlock : 'DO 0', parameters: [] };
          },
          async work(db) {
            tries += 1;
            await db.insert(rows, { id: tries });
          },
        });
        expect(await ids()).to.deep.equal([2]);
      } finally {
        await database.close();
      }
    });
  });
});
