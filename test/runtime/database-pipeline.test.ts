import { expect } from 'chai';
import { EntitySchema } from 'typeorm';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import type { Outcome, Session } from '#core/runtime/database/session.js';
import { joined, type Statement } from '#core/runtime/database/statement.js';
import { rejection, useDatabase } from '#test/support/use-database.js';
import { needPlainServer } from '#test/support/vitess.js';

describe('The statements of a connection', () => {
  const test = useDatabase();
  before(() => test.direct.run('CREATE TABLE entry (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB'));
  beforeEach(() => test.direct.run('TRUNCATE TABLE entry'));

  const add = 'INSERT INTO entry VALUES (?)';
  const ids = async (db: Session = test.direct): Promise<number[]> =>
    (await db.rows<{ id: number }>('SELECT id FROM entry ORDER BY id')).map(({ id }) => id);

  it('deferred: sent with COMMIT where nothing follows', async () => {
    await test.database.transaction((db) => db.defer({ sql: add, parameters: [1] }));
    expect(await ids()).to.deep.equal([1]);
  });

  it('deferred: sent before what follows, also before a prepared statement and TypeORM’s', async () => {
    await test.database.transaction(async (db) => {
      await db.defer({ sql: add, parameters: [1] });
      await db.defer({ sql: add, parameters: [2] });
      expect(await ids(db)).to.deep.equal([1, 2]);
      await db.defer({ sql: add, parameters: [3] });
      expect(await db.prepared('SELECT id FROM entry WHERE id = ?', ['3'])).to.have.length(1);
      await db.defer({ sql: add, parameters: [4] });
      const { affectedRows } = await db.run('UPDATE entry SET id = 40 WHERE id = ?', [4]);
      expect(affectedRows).to.equal(1);
    });
    expect(await ids()).to.deep.equal([1, 2, 3, 40]);
  });

  it('deferred: an empty statement does nothing, in a transaction and outside', async () => {
    await test.database.defer(joined([]));
    await test.database.transaction(async (db) => {
      await db.defer(joined([]));
      await db.defer({ sql: add, parameters: [1] });
      await db.defer(joined([]));
      expect(await ids(db)).to.deep.equal([1]);
    });
  });

  it('deferred: rolled back with the rest, sent or not', async () => {
    const error = await rejection(
      test.database.transaction(async (db) => {
        await db.defer({ sql: add, parameters: [1] });
        await db.rows('SELECT 1');
        await db.defer({ sql: add, parameters: [2] });
        throw new Error('no');
      }),
    );
    expect(error).to.have.property('message', 'no');
    expect(await ids()).to.deep.equal([]);
  });

  it('deferred: a failure fails the transaction, whatever the code makes of the error', async () => {
    await test.direct.run(add, [1]);
    const works: ((db: Session) => Promise<unknown>)[] = [
      (db) => db.defer({ sql: add, parameters: [1] }),
      async (db) => {
        await db.run(add, [2]);
        await db.defer({ sql: add, parameters: [1] });
        await db.rows('SELECT 1');
      },
    ];
    for (const work of works) expect(isDuplicate(await rejection(test.database.transaction(work)))).to.equal(true);
    expect(await ids()).to.deep.equal([1]);
  });

  it('deferred: after a failure the transaction runs again, and the error reaches the code that deferred the statement', async () => {
    await test.direct.run(add, [1]);
    const refused: boolean[] = [];
    await test.database.transaction(async (db) => {
      await db.run(add, [2]);
      await db.defer({ sql: add, parameters: [1] }).catch((error: unknown) => refused.push(isDuplicate(error)));
    });
    expect(refused).to.deep.equal([true]);
    expect(await ids()).to.deep.equal([1, 2]);
  });

  it('deferred: the error of a statement that follows reaches the code that asked for that one', async () => {
    await test.direct.run(add, [1]);
    await test.database.transaction(async (db) => {
      await db.rows('SELECT 1');
      await db.defer({ sql: add, parameters: [2] });
      const error = await rejection(db.run(add, [1]));
      expect(isDuplicate(error)).to.equal(true);
      await db.defer({ sql: add, parameters: [3] });
    });
    expect(await ids()).to.deep.equal([1, 2, 3]);
  });

  it('deferred: sent at once outside a transaction, and when many values are waiting', async () => {
    await test.database.defer({ sql: add, parameters: [1] });
    expect(await ids()).to.deep.equal([1]);
    const many = Array.from({ length: 30_000 }, (_, index) => index + 10);
    await test.database.transaction(async (db) => {
      for (let from = 0; from < many.length; from += 5_000) {
        const some = many.slice(from, from + 5_000);
        await db.defer({ sql: `INSERT INTO entry VALUES ${some.map(() => '(?)').join(', ')}`, parameters: some });
      }
    });
    expect(await test.direct.rows('SELECT COUNT(*) AS found FROM entry')).to.deep.equal([{ found: 30_001 }]);
  });

  /** Runs `work` and returns what the client sent meanwhile, message by message. */
  async function messagesOf(work: () => Promise<unknown>): Promise<string[]> {
    const messages: string[] = [];
    test.proxy.onSent((bytes) => messages.push(bytes.toString('latin1')));
    await work();
    test.proxy.onSent(() => undefined);
    return messages;
  }

  it('share a round trip when they are reads asked for together, and each gets its own rows', async () => {
    await test.direct.run(`${add}, (?)`, [1, 2]);
    let found: unknown;
    const messages = await messagesOf(() =>
      test.database.transaction(async (db) => {
        found = await Promise.all([
          db.rows('SELECT id FROM entry WHERE id = 2'),
          db.prepared('SELECT id FROM entry WHERE id = ?', ['1']),
          db.rows('SELECT id FROM entry WHERE id = 3'),
        ]);
      }),
    );
    expect(found).to.deep.equal([[{ id: 2 }], [{ id: 1 }], []]);
    // START TRANSACTION with the reads; COMMIT.
    expect(messages).to.have.length(2);
  });

  it('run in the order in which they were asked for, together or not', async () => {
    const seen = await test.database.transaction((db) =>
      Promise.all([
        ids(db),
        db.run(add, [1]),
        ids(db),
        db.defer({ sql: add, parameters: [2] }),
        ids(db),
        db.run('DELETE FROM entry WHERE id = 1'),
        ids(db),
      ]),
    );
    expect(seen.filter((each) => Array.isArray(each))).to.deep.equal([[], [1], [1, 2], [2]]);
  });

  it('get their own errors: after an ambiguous one the transaction runs again, one statement per message', async () => {
    let tries = 0;
    const [found, error] = await test.database.transaction(async (db) => {
      tries += 1;
      return Promise.all([ids(db), rejection(db.rows('SELECT nonsense FROM entry'))]);
    });
    expect(found).to.deep.equal([]);
    expect(error).to.have.nested.property('driverError.errno', 1054);
    expect(tries).to.equal(2);
  });

  it('take no round trip for a transaction that asks for nothing', async () => {
    expect(await messagesOf(() => test.database.transaction(() => Promise.resolve()))).to.have.length(1);
    expect(
      await messagesOf(() => rejection(test.database.transaction(() => Promise.reject(new Error('no'))))),
    ).to.deep.equal([]);
  });

  it('commit together in one round trip, or not at all', async () => {
    const statement = (id: number): Statement => ({ sql: add, parameters: [id] });
    let outcomes: Outcome[] = [];
    const messages = await messagesOf(async () => {
      outcomes = await test.database.commit([
        statement(1),
        { sql: 'UPDATE entry SET id = 5 WHERE id = 1', parameters: [] },
        { sql: 'DELETE FROM entry WHERE id = 99', parameters: [] },
      ]);
    });
    expect(messages).to.have.length(1);
    expect(outcomes.map(({ affectedRows }) => affectedRows)).to.deep.equal([1, 1, 0]);
    const error = await rejection(test.database.commit([statement(6), statement(5)]));
    expect(isDuplicate(error)).to.equal(true);
    expect(await ids()).to.deep.equal([5]);
  });

  describe('in a deadlock, after which the server has no transaction,', () => {
    needPlainServer('SIGNAL outside a procedure');
    const rows = new EntitySchema<{ id: number }>({
      name: 'entry',
      columns: { id: { type: 'int', primary: true } },
    });
    /** As the server reports a deadlock, after it has rolled everything back. */
    const deadlock = "ROLLBACK;\nSIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'Deadlock found'";

    it('are not sent: they would commit by themselves', async () => {
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
          await test.direct.run('DELETE FROM entry');
          await test.direct.run(add, [1]);
          let tries = 0;
          await database.transaction(async (db) => {
            tries += 1;
            if (tries > 1) return;
            await db.rows('SELECT 1');
            await db.defer({ sql: deadlock, parameters: [] });
            await write(db, 2);
          });
          expect(tries).to.equal(2);
          expect(await ids()).to.deep.equal([1]);
        }
      } finally {
        await database.close();
      }
    });

    it('are not sent either when the code ignores the error', async () => {
      await test.direct.run('DELETE FROM entry');
      let tries = 0;
      await test.database.transaction(async (db) => {
        tries += 1;
        await db.run(add, [tries]);
        if (tries === 1) await rejection(db.run(deadlock));
        await db.run(add, [10 + tries]).catch(() => undefined);
      });
      expect(await ids()).to.deep.equal([2, 12]);
    });

    it('are not sent either when the opening statement met it', async () => {
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
