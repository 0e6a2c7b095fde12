import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { lanes, type Claim } from '#core/runtime/work/queue.js';
import { eventually } from '#test/support/eventually.js';
import { createGate } from '#test/support/gate.js';
import { useWork } from '#test/support/use-work.js';

describe('The turns of work', () => {
  const work = useWork();
  const { performed } = work;
  const placeOf = (partitionId: string): number => performed.findIndex((claim) => claim.partitionId === partitionId);
  const isDone = (partitionId: string) => (): boolean => placeOf(partitionId) >= 0;

  it('let one row through at once beside another partition’s twenty thousand', async () => {
    const [crowd, single] = [newId(), newId()];
    await work.queue(crowd, 20_000);
    const worker = work.start();
    await eventually(isDone(crowd), 'the crowd’s first row');
    const before = performed.length;
    await work.queue(single, 1);
    worker.wake();
    await eventually(isDone(single), 'the single row');
    expect(placeOf(single) - before).to.be.lessThan(500);
  });

  it('go round the partitions: nobody’s second batch comes before another’s first rows', async () => {
    const partitions = Array.from({ length: 10 }, newId);
    for (const partition of partitions) await work.queue(partition, 300);
    work.start();
    await eventually(() => performed.length >= 1_000, 'a third of the rows');
    const shares = partitions.map(
      (partition) => performed.slice(0, 1_000).filter(({ partitionId }) => partitionId === partition).length,
    );
    expect(Math.min(...shares)).to.be.greaterThan(40);
  });

  it('never let bulk hold up a sign-in code: each lane has slots of its own', async () => {
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
    await eventually(() => performed.length === 48, 'both other lanes, while bulk stands still');
    expect(performed.filter(({ partitionId }) => partitionId === bulk)).to.have.length(8);
    gate.open();
    await worker.idle();
    expect(performed).to.have.length(240);
  });

  it('bring a sign-in code through while hundreds of partitions have bulk due', async () => {
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

  it('give one slow partition no more slots than its share', async () => {
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

  it('give partitions that belong together no more slots than their share', async () => {
    const gate = createGate();
    gate.close();
    const together = Array.from({ length: 6 }, newId);
    const single = newId();
    for (const partition of together) await work.queue(partition, 10);
    const worker = work.start({
      group: { most: 5, of: (partitionId) => (together.includes(partitionId) ? 'one' : undefined) },
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

  it('pass on the slot of a row that has only its outcome left to record, and bound how many such rows there are', async () => {
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

  it('never run more of a lane at once than it has slots', async () => {
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
