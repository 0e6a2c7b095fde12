import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { bringBack, recomputeWaits, type WaitingRows } from '#core/runtime/work/bring-back.js';
import { days, hours, minutes } from '#test/support/clock.js';
import { hex, table, useWork } from '#test/support/use-work.js';

describe('Work that is due further ahead than its kind waits', () => {
  const work = useWork();
  const { test, clock } = work;
  const lab: WaitingRows = { name: 'lab', table };
  const back = (queue: Partial<WaitingRows> = {}): Promise<number> =>
    bringBack(test.database, { ...lab, ...queue }, clock.now());
  const dueIn = async (): Promise<number[]> => (await work.rows()).map((row) => row.dueIn).sort((a, b) => a - b);

  it('comes back in every partition and lane, and nothing else does', async () => {
    const [one, other] = [newId(), newId()];
    for (const ms of [-hours(1), minutes(5), hours(2), hours(2) + 1, days(1), days(100)])
      await work.queue(one, 1, { dueInMs: ms });
    await work.queue(other, 1, { dueInMs: days(40), lane: 'system' });
    expect(await back()).to.equal(4);
    expect(await dueIn()).to.deep.equal([-hours(1), 0, 0, 0, 0, minutes(5), hours(2)]);
    expect(await back()).to.equal(0);
  });

  it('comes back by the longest wait of its queue', async () => {
    for (const ms of [hours(24), days(2)]) await work.queue(newId(), 1, { dueInMs: ms });
    expect(await back({ longestWaitMs: hours(25) })).to.equal(1);
    expect(await dueIn()).to.deep.equal([0, hours(24)]);
  });

  it('stays where somebody chose the time', async () => {
    const [chosen = ''] = await work.queue(newId(), 1, { dueInMs: days(30) });
    await work.queue(newId(), 1, { dueInMs: days(40) });
    expect(await back({ chosenTime: `work.id = x'${chosen}'` })).to.equal(1);
    expect(await dueIn()).to.deep.equal([0, days(30)]);
  });

  it('comes back however many rows there are, those that stay among them', async () => {
    const partition = newId();
    await work.queue(partition, 1_500, { dueInMs: days(30) });
    await work.queue(partition, 1_500, { dueInMs: days(40) });
    const later = `work.due_at < '${new Date(clock.now().getTime() + days(35)).toISOString().slice(0, 23).replace('T', ' ')}'`;
    expect(await back({ chosenTime: later })).to.equal(1_500);
    expect(await work.left('leased = 0')).to.equal(3_000);
    expect((await dueIn()).filter((ms) => ms === 0)).to.have.length(1_500);
  });

  it('waits from now if it was postponed while the clock was ahead', async () => {
    const tried = (ms: number): string =>
      `TIMESTAMPADD(SECOND, ${ms / 1_000}, '${clock.now().toISOString().slice(0, 23).replace('T', ' ')}')`;
    const recompute = (triedAt: string): Promise<number> =>
      recomputeWaits(test.database, { ...lab, triedAt, chosenTime: 'work.attempts = 9' }, clock.now());
    const [one = '', first = '', chosen = ''] = await work.queue(newId(), 3, { dueInMs: hours(1) + minutes(5) });
    await work.queue(newId(), 1_200, { dueInMs: hours(1) + minutes(5) });
    await test.direct.run(`UPDATE ${table} SET attempts = 2`);
    await test.direct.run(`UPDATE ${table} SET attempts = 0 WHERE id = x'${first}'`);
    await test.direct.run(`UPDATE ${table} SET attempts = 9 WHERE id = x'${chosen}'`);
    expect(await recompute(tried(-minutes(1))), 'tried before').to.equal(0);
    expect(await recompute(`CASE WHEN work.id = x'${one}' THEN NULL ELSE ${tried(hours(1))} END`)).to.equal(1_200);
    expect((await dueIn()).filter((ms) => ms === minutes(5))).to.have.length(1_200);
    expect(await recompute(tried(hours(1))), 'once').to.equal(1);
    expect((await dueIn()).filter((ms) => ms === hours(1) + minutes(5))).to.have.length(2);
  });

  it('is left to the worker that has it', async () => {
    const partition = newId();
    const [leased = ''] = await work.queue(partition, 2, { dueInMs: days(40) });
    await test.direct.run(`UPDATE ${table} SET leased = 1 WHERE id = x'${leased}'`);
    expect(await back()).to.equal(1);
    const rows = await work.rows();
    expect(rows.find(({ id }) => id === leased)?.dueIn).to.equal(days(40));
    expect(rows.every(({ partitionId }) => partitionId === hex(partition))).to.equal(true);
  });
});
