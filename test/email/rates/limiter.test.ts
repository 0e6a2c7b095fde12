import { expect } from 'chai';
import { createLimiter, type Limiter } from '#plugins/email/delivery/limiter.js';
import type { Lane } from '#core/runtime/work/queue.js';

/** Takes places for messages with one recipient. */
const takeMany = (limiter: Limiter, count: number, lane: Lane, turns: string | readonly string[], now: number) =>
  Array.from({ length: count }, () => limiter.take(lane, typeof turns === 'string' ? [turns] : turns, 1, now));

describe('A limiter of mail', () => {
  it('lets messages pass evenly; one for several recipients takes several places', () => {
    const limiter = createLimiter(10);
    const tickets = [1, 1, 3, 1].map((count) => limiter.take('bulk', ['a'], count, 1_000));
    expect(tickets.map((ticket) => limiter.waitOf(ticket, 1_000))).to.deep.equal([0, 100, 200, 500]);
    expect(tickets.map((ticket) => limiter.waitOf(ticket, 1_200))).to.deep.equal([0, 0, 0, 300]);
    expect(limiter.waitOf(limiter.take('bulk', ['a'], 1, 5_000), 5_000), 'unused places are gone').to.equal(0);
    expect(limiter.waitOf(limiter.take('bulk', ['a'], 1, 5_000), 5_000)).to.equal(100);
  });

  it('lets system mail pass before single messages, and those before bulk mail', () => {
    const limiter = createLimiter(10);
    takeMany(limiter, 1_000, 'bulk', 'a', 0);
    const [single] = takeMany(limiter, 1_000, 'transactional', 'a', 0);
    const [system] = takeMany(limiter, 1, 'system', 'a', 0);
    if (!single || !system) throw new Error('There are no tickets.');
    expect(limiter.waitOf(system, 0)).to.equal(100);
    expect(limiter.waitOf(single, 0)).to.equal(200);
    expect(limiter.waitOf(system, 100)).to.equal(0);
    expect(limiter.waitOf(single, 200)).to.equal(0);
    expect(limiter.waitOfNext('bulk', ['b'], 200)).to.be.greaterThan(99_000);
  });

  it('lets environments take turns, however many messages of one are waiting', () => {
    const limiter = createLimiter(10);
    const many = takeMany(limiter, 60_000, 'bulk', 'a', 0);
    expect(limiter.waitOfNext('bulk', ['b'], 20_000)).to.be.within(1, 200);
    const [one] = takeMany(limiter, 1, 'bulk', 'b', 20_000);
    if (!one) throw new Error('There is no ticket.');
    expect(limiter.waitOf(one, 20_000)).to.be.within(1, 200);
    expect(limiter.waitOf(one, 20_200)).to.equal(0);
    // Both together keep to the rate.
    const passed = [...many, one].filter((ticket) => limiter.waitOf(ticket, 100_000) === 0);
    expect(passed).to.have.length(1_001);
  });

  it('lets accounts take turns before their environments, and counts their test environments as one', () => {
    const limiter = createLimiter(10);
    const many = Array.from({ length: 100 }, (_, n) =>
      takeMany(limiter, 10, 'bulk', n < 50 ? ['a', `live${n}`] : ['a', 'test', `test${n}`], 0),
    );
    const [, second] = takeMany(limiter, 2, 'bulk', ['b', 'live'], 0);
    if (!second) throw new Error('There is no ticket.');
    // Two turns of b, and at most two of a in between.
    expect(limiter.waitOf(second, 0)).to.be.at.most(400);
    expect(limiter.waitOf(second, 400)).to.equal(0);
    const passed = (lines: typeof many): number =>
      lines.flat().filter((ticket) => limiter.waitOf(ticket, 10_500) === 0).length;
    // Of about a hundred messages of a, each of the 50 live environments has had two, and the test ones together two.
    expect(passed(many.slice(50))).to.be.within(1, 3);
    expect(passed(many.slice(0, 50))).to.be.within(98, 104);
  });

  it('keeps the place of a message that asks too early or too late', () => {
    const limiter = createLimiter(1);
    const [, second, third] = takeMany(limiter, 3, 'bulk', 'a', 0);
    if (!second || !third) throw new Error('There are no tickets.');
    expect(limiter.waitOf(third, 0)).to.equal(2_000);
    expect(limiter.waitOf(third, 1_500)).to.equal(500);
    expect(limiter.waitOf(third, 2_000)).to.equal(0);
    expect(limiter.waitOf(second, 60_000)).to.equal(0);
    expect(limiter.isUnused(60_000)).to.equal(true);
  });

  it('takes a new rate for those who wait, too', () => {
    const limiter = createLimiter(1);
    const tickets = takeMany(limiter, 100, 'bulk', 'a', 0);
    limiter.setRate(100);
    const last = tickets.at(-1);
    expect(last && limiter.waitOf(last, 0)).to.equal(1_000 + 98 * 10);
  });
});
