import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { oldestDue } from '#core/runtime/work/oldest-due.js';
import { minutes, seconds } from '#test/support/clock.js';
import { table, useWork } from '#test/support/use-work.js';

describe('How long due work has waited', () => {
  const work = useWork();
  const waited = async (partitions = "SELECT x'00'"): Promise<number | undefined> => {
    const queue = { name: 'lab', table, excludedPartitions: [{ partitions, lanes: ['bulk'] as const }] };
    return (await oldestDue(work.test.database, [queue], work.clock.now())).get('lab');
  };

  it('is that of the row that was due first, of any partition and lane; 0 while nothing is due', async () => {
    expect(await waited()).to.equal(0);
    await work.queue(newId(), 1, { dueInMs: minutes(1) });
    expect(await waited()).to.equal(0);
    await work.queue(newId(), 3, { dueInMs: -seconds(10) });
    await work.queue(newId(), 1, { lane: 'transactional', dueInMs: -seconds(20) });
    expect(await waited()).to.equal(20);
    work.clock.advance(seconds(5));
    expect(await waited()).to.equal(25);
  });

  it('leaves out what a worker holds, and what nobody may claim now', async () => {
    const paused = newId();
    await work.queue(newId(), 1, { dueInMs: -seconds(60) });
    await work.test.direct.run(`UPDATE ${table} SET leased = 1, lease_token = x'01', lease_until = NOW(3)`);
    expect(await waited()).to.equal(0);
    await work.queue(paused, 1, { dueInMs: -seconds(40) });
    expect(await waited()).to.equal(40);
    expect(await waited(`SELECT x'${paused.replaceAll('-', '')}'`)).to.equal(0);
    await work.queue(paused, 1, { lane: 'transactional', dueInMs: -seconds(30) });
    expect(await waited(`SELECT x'${paused.replaceAll('-', '')}'`)).to.equal(30);
  });
});
