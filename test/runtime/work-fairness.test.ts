import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { silentLog } from '#core/runtime/log.js';
import { lanes, type Claim, type WorkQueue } from '#core/runtime/work/queue.js';
import { startWorker } from '#core/runtime/work/worker.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { byPartition, table, useWork } from '#test/support/use-work.js';

describe('Fairness between partitions and lanes', () => {
  const work = useWork();
  const { performed } = work;
  const placeOf = (partitionId: string): number => performed.findIndex((claim) => claim.partitionId === partitionId);
  const isDone = (partitionId: string) => (): boolean => placeOf(partitionId) >= 0;

  it('performs a single row promptly while another partition has twenty thousand due', async () => {
    const [busy, single] = [newId(), newId()];
    await work.queue(busy, 20_000);
    const worker = work.start();
    await eventually(isDone(busy), 'the busy partition’s first row');
    const before = performed.length;
    await work.queue(single, 1);
    worker.wake();
    await eventually(isDone(single), 'the single row');
    expect(placeOf(single) - before).to.be.lessThan(500);
  });

  it('claims a backlog without reading for each claim which partitions are due', async () => {
    const claims = { sinceRead: 0, most: 0 };
    const { database } = work.test;
    const counting = {
      ...database,
      rows: ((sql, parameters) => {
        if (sql.includes('waiting.partition_id')) claims.sinceRead = 0;
        return database.rows(sql, parameters);
      }) satisfies typeof database.rows,
      transaction: ((given) => {
        claims.sinceRead += 1;
        claims.most = Math.max(claims.most, claims.sinceRead);
        return database.transaction(given);
      }) satisfies typeof database.transaction,
    };
    await work.queue(newId(), 8_000);
    const finish = async ({ id }: Claim): Promise<void> => {
      await database.run(`DELETE FROM ${table} WHERE id = ?`, [idBytes(id)]);
    };
    const queue = {
      name: 'lab',
      table,
      concurrency: 64,
      excludedPartitions: [],
      turnsOf: byPartition,
      perform: finish,
    };
    const worker = startWorker({ database: counting, clock: work.clock, log: silentLog, queue });
    await worker.idle();
    await worker.stop();
    expect(await work.left()).to.equal(0);
    expect(claims.most).to.be.greaterThan(1);
  });

  it('claims round-robin: no partition gets a second batch before every other had its first', async () => {
    const partitions = Array.from({ length: 10 }, newId);
    for (const partition of partitions) await work.queue(partition, 300);
    work.start();
    await eventually(() => performed.length >= 1_000, 'a third of the rows');
    const shares = partitions.map(
      (partition) => performed.slice(0, 1_000).filter(({ partitionId }) => partitionId === partition).length,
    );
    expect(Math.min(...shares)).to.be.greaterThan(40);
  });

  it('never delays a sign-in code by bulk work, because each lane has its own slots', async () => {
    const gate = createGate();
    gate.close();
    const [bulk, system, transactional] = [newId(), newId(), newId()];
    await work.queue(bulk, 200);
    const worker = work.start({
      async perform(claim) {
        if (claim.lane === lanes.bulk) await gate.pass();
        await work.finish(claim);
      },
    });
    await gate.reached(8);
    await work.queue(system, 20, { lane: 'system' });
    await work.queue(transactional, 20, { lane: 'transactional' });
    worker.wake();
    await eventually(() => performed.length === 48, 'both other lanes to finish while bulk is blocked');
    expect(performed.filter(({ partitionId }) => partitionId === bulk)).to.have.length(8);
    gate.open();
    await worker.idle();
    expect(performed).to.have.length(240);
  });

  it('performs a sign-in code promptly while hundreds of partitions have bulk work due', async () => {
    const partitions = Array.from({ length: 300 }, newId);
    for (const partition of partitions) await work.queue(partition, 20);
    const system = newId();
    const worker = work.start();
    await eventually(() => performed.length > 50, 'the first bulk rows');
    const before = performed.length;
    await work.queue(system, 1, { lane: 'system' });
    worker.wake();
    await eventually(isDone(system), 'the system row');
    expect(placeOf(system) - before).to.be.lessThan(1_000);
    await worker.idle();
    expect(performed).to.have.length(6_001);
  });

  it('limits a slow partition to its share of the slots', async () => {
    const gate = createGate();
    gate.close();
    const [slow, quick] = [newId(), newId()];
    await work.queue(slow, 50);
    const worker = work.start({
      perPartition: () => 2,
      async perform(claim) {
        if (claim.partitionId === slow) await gate.pass();
        await work.finish(claim);
      },
    });
    await gate.reached(2);
    await work.queue(quick, 50);
    worker.wake();
    await eventually(
      () => performed.filter(({ partitionId }) => partitionId === quick).length === 50,
      'the quick partition’s rows',
    );
    expect(performed.filter(({ partitionId }) => partitionId === slow)).to.have.length(2);
    gate.open();
    await worker.idle();
    expect(performed).to.have.length(100);
  });

  it('limits the partitions of an owner to its share of the slots', async () => {
    const gate = createGate();
    gate.close();
    const together = Array.from({ length: 6 }, newId);
    const single = newId();
    for (const partition of together) await work.queue(partition, 10);
    const worker = work.start({
      turnsOf: (ids) => Promise.resolve(new Map(ids.filter((id) => together.includes(id)).map((id) => [id, ['one']]))),
      perOwner: [{ most: 5 }],
      async perform(claim) {
        if (claim.partitionId !== single) await gate.pass();
        await work.finish(claim);
      },
    });
    await gate.reached(5);
    await work.queue(single, 20);
    worker.wake();
    await eventually(
      () => performed.filter(({ partitionId }) => partitionId === single).length === 20,
      'the other’s rows',
    );
    expect(performed).to.have.length(25);
    gate.open();
    await worker.idle();
    expect(performed).to.have.length(80);
  });

  /** The partitions of one owner, as those of an account's environments. */
  const owned = (partitions: readonly string[]): Pick<WorkQueue, 'turnsOf'> => ({
    turnsOf: (ids) =>
      Promise.resolve(new Map(ids.map((id) => [id, partitions.includes(id) ? ['many', id] : ['other', id]]))),
  });

  it('lets owners take turns before their partitions', async () => {
    const many = Array.from({ length: 100 }, newId);
    const single = newId();
    for (const partition of [...many, single]) await work.queue(partition, 20);
    await work.start({ ...owned(many), concurrency: 1 }).idle();
    // Every second one is of the single partition while its first claimed rows last: a hundred others have rows too.
    const first = performed.slice(0, 16).filter(({ partitionId }) => partitionId === single);
    expect(first).to.have.length(8);
  });

  it('claims a single row at once although the partitions of another owner fill the buffer', async () => {
    const gate = createGate();
    gate.close();
    const many = Array.from({ length: 100 }, newId);
    for (const partition of many) await work.queue(partition, 20);
    const worker = work.start({
      ...owned(many),
      concurrency: 3,
      async perform(claim) {
        await gate.pass();
        await work.finish(claim);
      },
    });
    // An owner leaves one slot to the others, so the row of another one is not even behind a running one.
    await gate.reached(2);
    await eventually(async () => (await work.left('leased = 1')) >= 256, 'a full buffer');
    const single = newId();
    await work.queue(single, 1);
    worker.wake();
    await gate.reached(3);
    expect(performed.map(({ partitionId }) => partitionId).indexOf(single)).to.equal(2);
    gate.open();
    await worker.idle();
    expect(performed).to.have.length(2_001);
  });

  it('keeps the last slots for owners that use few of them', async () => {
    const gate = createGate();
    gate.close();
    const hanging = Array.from({ length: 6 }, newId);
    for (const partition of hanging) await work.queue(partition, 20);
    const worker = work.start({
      turnsOf: (ids) =>
        Promise.resolve(new Map(ids.map((id) => [id, [hanging.includes(id) ? `${hanging.indexOf(id) % 2}` : id]]))),
      concurrency: 12,
      perOwner: [{ most: 6, reserved: { slots: 4, perOwner: 2 } }],
      async perform(claim) {
        if (hanging.includes(claim.partitionId)) await gate.pass();
        await work.finish(claim);
      },
    });
    await gate.reached(8);
    const single = newId();
    await work.queue(single, 5);
    worker.wake();
    await eventually(
      () => performed.filter(({ partitionId }) => partitionId === single).length === 5,
      'the other’s rows',
    );
    expect(performed).to.have.length(13);
    gate.open();
    await worker.idle();
    expect(performed).to.have.length(125);
  });

  it('passes on the slot of a row whose outcome remains to be recorded, and limits the number of such rows', async () => {
    const gate = createGate();
    gate.close();
    await work.queue(newId(), 30);
    const worker = work.start({
      concurrency: 2,
      async perform(claim, freeSlot) {
        freeSlot();
        freeSlot();
        await gate.pass();
        await work.finish(claim);
      },
    });
    await gate.reached(8);
    expect(performed).to.have.length(8);
    gate.open();
    await worker.idle();
    expect([performed.length, await work.left()]).to.deep.equal([30, 0]);
  });

  it('never runs more rows of a lane than it has slots', async () => {
    let running = 0;
    let most = 0;
    const count = async (claim: Claim): Promise<void> => {
      most = Math.max(most, (running += 1));
      await work.finish(claim);
      running -= 1;
    };
    await work.queue(newId(), 300);
    await work.queue(newId(), 300);
    await work.start({ concurrency: 3, perform: count }).idle();
    expect([most, performed.length]).to.deep.equal([3, 600]);
  });
});
