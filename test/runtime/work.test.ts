import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { withdrawWork } from '#core/runtime/work/queue.js';
import { seconds } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { hex, table, useWork } from '#test/support/use-work.js';

describe('Background work', () => {
  const work = useWork();
  const { performed, clock } = work;

  it('is performed once per row by two concurrent workers', async () => {
    const partitions = Array.from({ length: 5 }, newId);
    for (const partition of partitions) await work.queue(partition, 200);
    const counts = [0, 0];
    const workers = [0, 1].map((index) =>
      work.start({
        async perform(claim) {
          counts[index] = (counts[index] ?? 0) + 1;
          await work.finish(claim);
        },
      }),
    );
    await eventually(async () => (await work.left()) === 0, 'all rows done');
    await Promise.all(workers.map((worker) => worker.idle()));
    expect(performed).to.have.length(1_000);
    expect(new Set(performed.map(({ id }) => id)).size).to.equal(1_000);
    expect(Math.min(...counts)).to.be.greaterThan(0);
    expect(performed.every(({ attempts }) => attempts === 1)).to.equal(true);
  });

  it('is performed when it is due and not before', async () => {
    const [now] = await work.queue(newId(), 1);
    const [later] = await work.queue(newId(), 1, { dueInMs: 10_000 });
    const worker = work.start();
    await worker.idle();
    expect(performed.map(({ id }) => hex(id))).to.deep.equal([now]);
    clock.advance(seconds(10) - 1);
    await worker.idle();
    expect(performed).to.have.length(1);
    clock.advance(1);
    await worker.idle();
    expect(performed.map(({ id }) => hex(id))).to.deep.equal([now, later]);
  });

  it('is performed in the order of its due times', async () => {
    const partition = newId();
    const [second] = await work.queue(partition, 1, { dueInMs: -1_000 });
    const [third] = await work.queue(partition, 1);
    const [first] = await work.queue(partition, 1, { dueInMs: -2_000 });
    await work.start({ concurrency: 1 }).idle();
    expect(performed.map(({ id }) => hex(id))).to.deep.equal([first, second, third]);
  });

  it('starts immediately when the worker is woken, whatever the poll interval', async () => {
    const worker = work.start({}, 3_600_000);
    await worker.idle();
    await work.queue(newId(), 3);
    worker.wake();
    await eventually(() => performed.length === 3, 'the woken worker to perform the rows');
  });

  it('is found by polling when another process committed it', async () => {
    const worker = work.start({}, 20);
    await worker.idle();
    await work.queue(newId(), 3);
    await eventually(() => performed.length === 3, 'the worker to poll');
  });

  it('is retried with increasing delays when it fails, without delaying other work', async () => {
    const partition = newId();
    const ids = await work.queue(partition, 100);
    const bad = ids[7];
    const worker = work.start({
      async perform(claim) {
        if (hex(claim.id) === bad) throw new Error('no');
        await work.finish(claim);
      },
    });
    await worker.idle();
    expect(performed).to.have.length(100);
    const waits = [];
    for (let failure = 1; failure <= 10; failure += 1) {
      const [row] = await work.rows();
      expect(row).to.include({ id: bad, leased: 0, attempts: failure, leaseToken: null });
      waits.push(row?.dueIn);
      clock.advance((row?.dueIn ?? 0) - 1);
      await worker.idle();
      expect(performed).to.have.length(99 + failure);
      clock.advance(1);
      await worker.idle();
      expect(performed.at(-1)).to.include({ attempts: failure + 1 });
    }
    expect(waits).to.deep.equal([2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map(seconds));
  });

  it('is not performed while its partition is excluded, and is performed afterwards', async () => {
    const [open, closed] = [newId(), newId()];
    await work.test.direct.run('CREATE TABLE IF NOT EXISTS lab_closed (id BINARY(16) NOT NULL PRIMARY KEY)');
    await work.test.direct.run('INSERT INTO lab_closed VALUES (?)', [Buffer.from(hex(closed), 'hex')]);
    await work.queue(closed, 5);
    await work.queue(open, 5);
    const worker = work.start({ excludedPartitions: [{ partitions: 'SELECT id FROM lab_closed' }] });
    await worker.idle();
    expect(performed.map(({ partitionId }) => partitionId)).to.deep.equal(Array.from({ length: 5 }, () => open));
    await work.test.direct.run('DELETE FROM lab_closed');
    await worker.idle();
    expect(performed).to.have.length(10);
  });

  it('is not performed in the lanes its partition is excluded from, and is performed in the others', async () => {
    const partition = newId();
    for (const lane of ['system', 'transactional', 'bulk'] as const) await work.queue(partition, 2, { lane });
    const partitions = `SELECT 0x${hex(partition)}`;
    await work.start({ excludedPartitions: [{ partitions, lanes: ['bulk'] }] }).idle();
    expect(performed.map(({ lane }) => lane)).to.deep.equal([0, 0, 1, 1]);
    expect(await work.left()).to.equal(2);
  });

  it('can be withdrawn while no worker has leased it', async () => {
    const gate = createGate();
    gate.close();
    await work.queue(newId(), 2);
    const worker = work.start({
      concurrency: 1,
      async perform(claim) {
        await gate.pass();
        await work.finish(claim);
      },
    });
    await gate.reached(1);
    const held = performed[0]?.id ?? '';
    expect(await withdrawWork(work.test.direct, { table }, held)).to.equal(false);
    gate.open();
    await worker.idle();
    const future = await work.queue(newId(), 1, { dueInMs: 60_000 });
    const id = newId();
    expect(await withdrawWork(work.test.direct, { table }, id)).to.equal(false);
    const [row] = await work.rows();
    expect(row?.id).to.equal(future[0]);
    expect(await withdrawWork(work.test.direct, { table }, row?.id ?? '')).to.equal(true);
    expect(await work.left()).to.equal(0);
  });
});
