import { expect } from 'chai';
import { DatabaseUnavailable } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
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
