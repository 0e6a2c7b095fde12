import { expect } from 'chai';
import { DatabaseUnavailable, isConnectionLost } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { rejection, useDatabase } from '#test/support/use-database.js';

describe('The pool of connections', () => {
  const test = useDatabase({ poolSize: 3 });
  const one = async (db: Session = test.database): Promise<number | undefined> =>
    (await db.rows<{ one: number }>('SELECT 1 AS one'))[0]?.one;
  const timed = async (promise: Promise<unknown>): Promise<[unknown, number]> => {
    const began = Date.now();
    return [await rejection(promise), Date.now() - began];
  };

  it('refuses callers and transactions after two seconds while all connections are in use, and recovers afterwards', async () => {
    const leases = [await test.database.acquire(), await test.database.acquire(), await test.database.acquire()];
    const refused = await Promise.all([
      timed(one()),
      timed(test.database.transaction(one)),
      timed(test.database.acquire()),
    ]);
    for (const [error, ms] of refused) {
      expect(error).to.be.instanceOf(DatabaseUnavailable);
      expect(ms).to.be.within(1_900, 3_000);
    }
    await Promise.all(leases.map(({ release }) => release()));
    expect(await one()).to.equal(1);
  });

  it('loses no connections to callers that stopped waiting', async () => {
    const leases = [await test.database.acquire(), await test.database.acquire(), await test.database.acquire()];
    const refused = await Promise.all(Array.from({ length: 10 }, () => rejection(one())));
    expect(refused.every((error) => error instanceof DatabaseUnavailable)).to.equal(true);
    await Promise.all(leases.map(({ release }) => release()));
    const again = await Promise.all([test.database.acquire(), test.database.acquire(), test.database.acquire()]);
    expect(await Promise.all(again.map(({ session }) => one(session)))).to.deep.equal([1, 1, 1]);
    await Promise.all(again.map(({ release }) => release()));
  });

  it('serves many more callers than it has connections, one after the other', async () => {
    expect(new Set(await Promise.all(Array.from({ length: 200 }, () => one())))).to.deep.equal(new Set([1]));
  });

  it('is filled again after the server was away', async () => {
    test.proxy.sever();
    const [error, ms] = await timed(test.database.transaction(one));
    expect(error).to.be.instanceOf(DatabaseUnavailable);
    expect(ms).to.be.lessThan(3_000);
    test.proxy.restore();
    const gate = createGate();
    gate.close();
    const three = Array.from({ length: 3 }, () =>
      test.database.transaction(async (db) => {
        await one(db);
        await gate.pass();
      }),
    );
    await gate.reached(3);
    gate.open();
    await Promise.all(three);
  });

  it('ends statements that wait for a server that hangs, and is used again when it answers', async () => {
    const waiting = [
      rejection(test.database.rows('SELECT SLEEP(60)')),
      rejection(test.database.transaction((db) => db.rows('SELECT SLEEP(60)'))),
    ];
    await eventually(async () => {
      const sleeping = await test.direct.rows(
        "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'SELECT SLEEP%'",
      );
      return sleeping.length === 2;
    }, 'both statements run');
    test.proxy.freeze();
    for (const error of await Promise.all(waiting)) expect(isConnectionLost(error)).to.equal(true);
    test.proxy.restore();
    expect(await one()).to.equal(1);
  });

  it('leaves a statement alone that runs for long on a server that answers', async () => {
    const [row] = await test.database.rows<{ slept: number }>('SELECT SLEEP(11) AS slept');
    expect(row?.slept).to.equal(0);
  });

  it('loses the locks of a process that stands still in a transaction, and runs the transaction again', async () => {
    await test.direct.run('CREATE TABLE locked (id INT PRIMARY KEY)');
    await test.direct.run('INSERT INTO locked VALUES (1)');
    const gate = createGate();
    gate.close();
    const found: number[] = [];
    const holder = test.database.transaction(async (db) => {
      found.push((await db.rows('SELECT id FROM locked FOR UPDATE')).length);
      await gate.pass();
      await db.run('UPDATE locked SET id = id + 10');
    });
    await gate.reached(1);
    expect(await test.direct.rows('SELECT id FROM locked FOR UPDATE SKIP LOCKED')).to.have.length(0);
    const isFree = async (): Promise<boolean> =>
      (await test.direct.rows('SELECT id FROM locked FOR UPDATE SKIP LOCKED')).length === 1;
    await eventually(isFree, 'the server ends the transaction', 40_000);
    // Another process changes the row that the transaction had locked.
    await test.direct.run('UPDATE locked SET id = 2');
    gate.open();
    await holder;
    expect(found).to.deep.equal([1, 1]);
    expect(await test.direct.rows('SELECT id FROM locked')).to.deep.equal([{ id: 12 }]);
  });

  it('ends free connections before the server does', async () => {
    const acquired = await Promise.all([test.database.acquire(), test.database.acquire()]);
    await Promise.all(acquired.map(({ release }) => release()));
    const idle: number[] = [];
    const allEnded = async (): Promise<boolean> => {
      const others = await test.direct.rows<{ time: number }>(
        'SELECT time FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
      );
      idle.push(...others.map(({ time }) => time));
      return others.length === 0;
    };
    await eventually(allEnded, 'the pool has ended its free connections', 30_000, 100);
    expect(Math.max(...idle)).to.be.within(9, 15);
    expect(await one()).to.equal(1);
  });

  it('refuses a caller after two seconds where the server accepts connections and does not answer', async () => {
    const fresh = await Promise.all([test.database.acquire(), test.database.acquire(), test.database.acquire()]);
    await Promise.all(fresh.map(({ discard }) => discard()));
    await Promise.all(fresh.map(({ release }) => release()));
    test.proxy.freeze();
    const [error, ms] = await timed(one());
    expect(error).to.be.instanceOf(DatabaseUnavailable);
    expect(ms).to.be.within(1_900, 3_000);
  });
});
