import { expect } from 'chai';
import { shift } from '#core/runtime/clock.js';
import { idBytes, newId } from '#core/runtime/id.js';
import { claimRows, duePartitions, releaseExpired, renewLeases, returnClaims } from '#core/runtime/work/claim.js';
import {
  completeMany,
  completeWork,
  lockLeases,
  postponeMany,
  postponeWork,
  type Claim,
  type WorkQueue,
} from '#core/runtime/work/queue.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { byPartition, hex, table, useWork } from '#test/support/use-work.js';

describe('A lease', () => {
  const work = useWork();
  const { performed, clock } = work;
  const queue: WorkQueue = {
    name: 'lab',
    table,
    concurrency: 1,
    excludedPartitions: [],
    turnsOf: byPartition,
    perform: async () => undefined,
  };
  const expire = (): Promise<unknown> =>
    work.test.direct.run(`UPDATE ${table} SET lease_until = NOW(3) - INTERVAL 1 SECOND WHERE leased = 1`);
  const claim = async (limit = 64): Promise<Claim[]> => {
    const [due] = await duePartitions(work.test.database, queue, clock.now());
    return due ? claimRows(work.test.database, queue, [due], limit, clock.now()) : [];
  };

  it('prevents other workers from claiming the row, and counts the claim as an attempt', async () => {
    await work.queue(newId(), 3);
    const mine = await claim(2);
    expect(mine.map(({ attempts }) => attempts)).to.deep.equal([1, 1]);
    expect(await claim()).to.have.length(1);
    expect(await claim()).to.have.length(0);
    expect((await work.rows()).map(({ leased }) => leased)).to.deep.equal([1, 1, 1]);
  });

  it('expires when its worker dies, and another worker performs the rows', async () => {
    await work.queue(newId(), 5);
    const dead = await claim();
    expect(dead).to.have.length(5);
    await work.start().idle();
    expect(performed).to.deep.equal([]);
    await expire();
    // The shared poll finds expired leases.
    work.start({}, 20);
    await eventually(() => performed.length === 5, 'the rows of the dead worker');
    expect(performed.map(({ attempts }) => attempts)).to.deep.equal([2, 2, 2, 2, 2]);
    for (const each of dead) expect(await completeWork(work.test.database, { table }, each)).to.equal(false);
  });

  it('that was lost can neither complete nor postpone the row', async () => {
    await work.queue(newId(), 1);
    const [late] = await claim();
    await expire();
    expect(await releaseExpired(work.test.database, queue)).to.equal(1);
    const [owner] = await claim();
    if (!late || !owner) throw new Error('The row was not claimed.');
    expect(await completeWork(work.test.database, { table }, late)).to.equal(false);
    expect(await postponeWork(work.test.database, { table }, late, clock.now())).to.equal(false);
    await returnClaims(work.test.database, queue, [late]);
    await renewLeases(work.test.database, queue, [late]);
    expect(await work.rows()).to.deep.include({
      ...(await work.rows())[0],
      leased: 1,
      attempts: 2,
      leaseToken: owner.leaseToken,
    });
    expect(await completeWork(work.test.database, { table }, owner)).to.equal(true);
  });

  it('is checked when many outcomes are recorded in one transaction: only rows still leased are recorded', async () => {
    await work.queue(newId(), 4);
    const claims = await claim();
    const [lost, done, late, later] = claims;
    if (!lost || !done || !late || !later) throw new Error('The rows were not claimed.');
    await work.test.direct.run(`UPDATE ${table} SET lease_token = NULL WHERE id = ?`, [idBytes(lost.id)]);
    const [soon, then] = [shift(clock.now(), 1_000), shift(clock.now(), 5_000)];
    const valid = await work.test.database.transaction(async (db) => {
      const locked = await lockLeases(db, { table }, claims);
      await completeMany(db, { table }, [done]);
      await postponeMany(db, { table }, [
        { claim: late, dueAt: soon },
        { claim: later, dueAt: then },
      ]);
      return locked;
    });
    expect([...valid]).to.have.members([done, late, later]);
    const left = (await work.rows()).map(({ id, leased, dueIn }) => [id, leased, dueIn]);
    expect(left).to.have.deep.members([
      [hex(lost.id), 1, 0],
      [hex(late.id), 0, 1_000],
      [hex(later.id), 0, 5_000],
    ]);
  });

  it('is that of the later claim where one process has claimed a row twice', async () => {
    await work.queue(newId(), 1);
    const [first] = await claim();
    await expire();
    await releaseExpired(work.test.database, queue);
    const [second] = await claim();
    if (!first || !second) throw new Error('The row was not claimed.');
    const locked = (claims: Claim[]): Promise<Set<Claim>> =>
      work.test.database.transaction((db) => lockLeases(db, { table }, claims));
    for (const claims of [
      [first, second],
      [second, first],
    ])
      expect([...(await locked(claims))]).to.deep.equal([second]);
  });

  it('is renewed while the work runs', async () => {
    await work.queue(newId(), 2);
    const [kept] = await claim();
    const lapsing = `UPDATE ${table} SET lease_until = NOW(3) + INTERVAL 1 SECOND`;
    await work.test.direct.run(lapsing);
    if (kept) await renewLeases(work.test.database, queue, [kept]);
    const seconds = await work.test.direct.rows<{ n: number }>(
      `SELECT TIMESTAMPDIFF(SECOND, NOW(3), lease_until) AS n FROM ${table} ORDER BY n`,
    );
    expect(seconds.map(({ n }) => n > 20)).to.deep.equal([false, true]);
  });

  it('is released at a stop for rows that were not started, without counting an attempt', async () => {
    const gate = createGate();
    gate.close();
    await work.queue(newId(), 50);
    const worker = work.start({
      concurrency: 2,
      async perform(each) {
        await gate.pass();
        await work.finish(each);
      },
    });
    await gate.reached(2);
    expect(await work.left('leased = 1')).to.equal(50);
    const stopped = worker.stop();
    gate.open();
    await stopped;
    expect(performed).to.have.length(2);
    const rows = await work.rows();
    expect(rows).to.have.length(48);
    for (const row of rows) expect(row).to.include({ leased: 0, attempts: 0, leaseToken: null });
  });

  it('is kept at a stop until running work has finished, and no more rows are claimed', async () => {
    const gate = createGate();
    gate.close();
    await work.queue(newId(), 1);
    const worker = work.start({
      async perform(each) {
        await gate.pass();
        await work.finish(each);
      },
    });
    await gate.reached(1);
    let ended = false;
    const stopped = worker.stop().then(() => (ended = true));
    await work.queue(newId(), 5);
    worker.wake();
    expect(ended).to.equal(false);
    gate.open();
    await stopped;
    expect([performed.length, await work.left('leased = 0 AND attempts = 0')]).to.deep.equal([1, 5]);
  });
});
