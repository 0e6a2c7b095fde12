import { expect } from 'chai';
import { isConflict, isDuplicate } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { createGate } from '#test/support/gate.js';
import { rejection, useDatabase } from '#test/support/use-database.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('A transaction', () => {
  const test = useDatabase();
  before(() => test.direct.run('CREATE TABLE account (id INT NOT NULL PRIMARY KEY, cents INT NOT NULL) ENGINE=InnoDB'));
  beforeEach(() => test.direct.run('REPLACE INTO account VALUES (1, 100), (2, 100)'));
  beforeEach(() => test.direct.run('DELETE FROM account WHERE id > 2'));

  const balances = async (): Promise<number[]> =>
    (await test.direct.rows<{ cents: number }>('SELECT cents FROM account ORDER BY id')).map(({ cents }) => cents);
  const add = (db: Session, id: number, cents: number): Promise<unknown> =>
    db.run('UPDATE account SET cents = cents + ? WHERE id = ?', [cents, id]);
  const connectionOf = async (db: Session): Promise<number> =>
    (await db.rows<{ id: number }>('SELECT CONNECTION_ID() AS id'))[0]?.id ?? 0;

  it('commits everything, or nothing where its function throws', async () => {
    await test.database.transaction((db) => add(db, 1, 1));
    const error = await rejection(
      test.database.transaction(async (db) => {
        await add(db, 1, 10);
        await add(db, 2, 10);
        throw new Error('no');
      }),
    );
    expect(error).to.have.property('message', 'no');
    expect(await balances()).to.deep.equal([101, 100]);
  });

  describe('with an opening statement', () => {
    const insert = (cents: number) => ({ sql: 'INSERT INTO account VALUES (3, ?)', parameters: [cents] });
    const plan = (work: (db: Session) => Promise<number>) => ({
      opening: insert(0),
      openingRefused: (error: unknown) => (isDuplicate(error) ? new Error('taken') : undefined),
      work,
      closing: (cents: number, replaceOpening?: (opening: Statement) => void) => {
        replaceOpening?.(insert(cents));
        return [];
      },
    });

    it('lets its last step replace the statement if nothing was sent, not even a deferred statement', async () => {
      await test.database.transact(
        plan(async (db) => {
          await db.defer({ sql: 'UPDATE account SET cents = 5 WHERE id = 1', parameters: [] });
          return 7;
        }),
      );
      expect(await balances()).to.deep.equal([5, 100, 7]);
    });

    it('keeps the statement if it has been sent', async () => {
      await test.database.transact(
        plan(async (db) => {
          await add(db, 1, 1);
          return 7;
        }),
      );
      expect(await balances()).to.deep.equal([101, 100, 0]);
    });

    it('reports that the statement was refused, and commits nothing', async () => {
      await test.direct.run('INSERT INTO account VALUES (3, 1)');
      const sendsNothing = async (): Promise<number> => 7;
      expect(await rejection(test.database.transact(plan(sendsNothing)))).to.have.property('message', 'taken');
      const defers = async (db: Session): Promise<number> => {
        await db.defer({ sql: 'UPDATE account SET cents = 5 WHERE id = 1', parameters: [] });
        return 7;
      };
      expect(await rejection(test.database.transact(plan(defers)))).to.have.property('message', 'taken');
      expect(await balances()).to.deep.equal([100, 100, 1]);
    });
  });

  it('runs again as the victim of a deadlock, and both sides keep their changes', async () => {
    const gate = createGate();
    gate.close();
    let tries = 0;
    const cross = (first: number, second: number): Promise<unknown> =>
      test.database.transaction(async (db) => {
        tries += 1;
        await add(db, first, 1);
        await gate.pass();
        await add(db, second, 1);
      });
    const both = [cross(1, 2), cross(2, 1)];
    // Each has locked one row and is about to lock the other's.
    await gate.reached(2);
    gate.open();
    await Promise.all(both);
    expect(await balances()).to.deep.equal([102, 102]);
    expect(tries).to.equal(3);
  });

  it('rolls back completely when one statement waits too long for a lock', async () => {
    const gate = createGate();
    gate.close();
    const holder = test.direct.transaction(async (db) => {
      await add(db, 2, 5);
      await gate.pass();
    });
    await gate.reached(1);
    let tries = 0;
    const error = await rejection(
      test.database.transaction(async (db) => {
        tries += 1;
        await db.run('SET innodb_lock_wait_timeout = 0');
        try {
          await db.run('INSERT INTO account VALUES (?, 1)', [10 + tries]);
          await add(db, 2, 1);
        } finally {
          await db.run('SET innodb_lock_wait_timeout = 5');
        }
      }),
    );
    gate.open();
    await holder;
    expect(isConflict(error)).to.equal(true);
    expect(tries).to.equal(3);
    // The server rolls back only the statement. The rows written before it must be gone too.
    expect(await balances()).to.deep.equal([100, 105]);
  });

  it('succeeds as soon as the lock is free', async () => {
    const gate = createGate();
    gate.close();
    const holder = test.direct.transaction(async (db) => {
      await add(db, 1, 1);
      await gate.pass();
    });
    await gate.reached(1);
    const waiting = test.database.transaction((db) => add(db, 1, 10));
    gate.open();
    await Promise.all([holder, waiting]);
    expect(await balances()).to.deep.equal([111, 100]);
  });

  it('runs again on another connection when its connection is killed', async function () {
    skipOnVitess(this, 'KILL');
    const connections: number[] = [];
    await test.database.transaction(async (db) => {
      connections.push(await connectionOf(db));
      await add(db, 1, 1);
      if (connections.length === 1) await test.direct.run(`KILL CONNECTION ${connections[0] ?? 0}`);
      await add(db, 2, 1);
    });
    expect(new Set(connections).size).to.equal(2);
    expect(await balances()).to.deep.equal([101, 101]);
  });

  it('runs again when its connection was killed while idle in the pool', async function () {
    skipOnVitess(this, 'KILL');
    const { session, release } = await test.database.acquire();
    const id = await connectionOf(session);
    await release();
    await test.direct.run(`KILL CONNECTION ${id}`);
    await test.database.transaction((db) => add(db, 1, 1));
    expect(await balances()).to.deep.equal([101, 100]);
  });

  it('does not run again after errors that a retry cannot fix', async () => {
    let tries = 0;
    const error = await rejection(
      test.database.transaction(async (db) => {
        tries += 1;
        await db.run('INSERT INTO account VALUES (3, 1)');
        await db.run('INSERT INTO account VALUES (1, 1)');
      }),
    );
    expect(error).to.have.nested.property('driverError.errno', 1062);
    expect([tries, await balances()]).to.deep.equal([1, [100, 100]]);
  });

  it('refuses writes through its session after it has ended', async () => {
    let kept: Session | undefined;
    await test.database.transaction(async (db) => {
      kept = db;
      await add(db, 1, 1);
    });
    if (!kept) throw new Error('There is no session.');
    await rejection(kept.run('UPDATE account SET cents = 0'));
    await rejection(kept.rows('SELECT 1'));
    expect(await balances()).to.deep.equal([101, 100]);
  });

  it('leaves no transaction open on its connection: the next one sees only committed rows', async () => {
    for (let round = 0; round < 30; round += 1) {
      await rejection(
        test.database.transaction(async (db) => {
          await db.run('INSERT INTO account VALUES (50, 1)');
          throw new Error('no');
        }),
      );
      await test.database.transaction(async (db) => {
        const rows = await db.rows('SELECT id FROM account WHERE id = 50');
        expect(rows).to.deep.equal([]);
      });
    }
    expect(await balances()).to.deep.equal([100, 100]);
  });
});
