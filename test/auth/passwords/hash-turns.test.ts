import { expect } from 'chai';
import { createHashTurns, type Asking } from '#plugins/auth/passwords/hash-turns.js';

/** A queue of hashes; `order` has the names of those that were started. */
function queue(threads: number, perAccount: number) {
  const turns = createHashTurns({ threads, perAccount });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (accountId: string, environmentId: string, cost: number): void => {
    const asking: Asking = { accountId, environmentId };
    void turns.take(asking, cost).then((release) => {
      order.push(`${accountId} ${environmentId}`);
      ends.push(release);
    });
  };
  /** Lets everything start that may start. */
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await settled();
  };
  return { ask, order, settled, endOne };
}

describe('The turns of hashes', () => {
  it('leave a thread to other accounts, however many environments an account has', async () => {
    const { ask, order, settled } = queue(3, 2);
    for (let each = 0; each < 20; each += 1) ask('busy', `environment ${each}`, 1_000);
    await settled();
    expect(order).to.have.length(2);
    ask('other', 'live', 10);
    await settled();
    expect(order.at(-1)).to.equal('other live');
  });

  it('are by time, not by number: an account with costly hashes waits while another catches up', async () => {
    const { ask, order, settled, endOne } = queue(1, 1);
    for (let each = 0; each < 5; each += 1) ask('costly', 'live', 1_000);
    for (let each = 0; each < 50; each += 1) ask('cheap', 'live', 10);
    await settled();
    for (let each = 0; each < 52; each += 1) await endOne();
    expect(order.slice(0, 1)).to.deep.equal(['costly live']);
    expect(order.slice(1, 51)).to.deep.equal(Array.from({ length: 50 }, () => 'cheap live'));
  });

  it('are next for an account that asks for the first time, whoever waits', async () => {
    const { ask, order, settled, endOne } = queue(2, 1);
    for (const account of ['a', 'b', 'c', 'd', 'e']) for (let each = 0; each < 10; each += 1) ask(account, 'live', 500);
    await settled();
    for (let each = 0; each < 12; each += 1) await endOne();
    ask('new', 'live', 10);
    await endOne();
    await endOne();
    expect(order.slice(-2)).to.contain('new live');
  });

  it('are shared by the environments of an account', async () => {
    const { ask, order, settled, endOne } = queue(1, 1);
    for (let each = 0; each < 10; each += 1) ask('one', 'test', 100);
    await settled();
    ask('one', 'live', 100);
    await endOne();
    await endOne();
    expect(order).to.contain('one live');
  });

  it('give back nothing for time in which an account asked for nothing', async () => {
    const { ask, order, settled, endOne } = queue(1, 1);
    ask('late', 'live', 10);
    for (let each = 0; each < 20; each += 1) ask('steady', 'live', 10);
    await settled();
    for (let each = 0; each < 10; each += 1) await endOne();
    for (let each = 0; each < 10; each += 1) ask('late', 'live', 10);
    for (let each = 0; each < 6; each += 1) await endOne();
    expect(order.slice(-4).filter((name) => name === 'steady live')).to.have.length(2);
  });
});
