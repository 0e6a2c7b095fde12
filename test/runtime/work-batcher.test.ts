import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { DatabaseUnavailable } from '#core/runtime/database/errors.js';
import { createBatcher, createOwnerBatcher } from '#core/runtime/database/batcher.js';
import { createGate } from '#test/support/gate.js';

describe('A batcher', () => {
  const batches: number[][] = [];
  beforeEach(() => void (batches.length = 0));
  const failingWith =
    (error: Error) =>
    async (items: readonly number[]): Promise<number[]> => {
      batches.push([...items]);
      if (items.includes(13)) throw error;
      return items.map((item) => 2 * item);
    };
  const numbers = Array.from({ length: 16 }, (_, index) => index);

  it('that splits on errors fails only the item at fault, and handles the others in halves', async () => {
    const double = createBatcher(failingWith(new Error('unlucky')), { maxItems: 16, splitOnError: true });
    const results = await Promise.allSettled(numbers.map(double));
    expect(results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))).to.deep.equal(
      numbers.filter((each) => each !== 13).map((each) => 2 * each),
    );
    expect(results[13]).to.have.nested.property('reason.message', 'unlucky');
    expect(batches.map(({ length }) => length)).to.deep.equal([16, 8, 8, 4, 4, 2, 1, 1, 2]);
  });

  it('that splits on errors fails the whole batch at once when the database is away', async () => {
    const double = createBatcher(failingWith(new DatabaseUnavailable()), { maxItems: 16, splitOnError: true });
    const results = await Promise.allSettled(numbers.map(double));
    expect(new Set(results.map(({ status }) => status))).to.deep.equal(new Set(['rejected']));
    expect(batches).to.have.length(1);
  });

  it('fails the whole batch by default', async () => {
    const double = createBatcher(failingWith(new Error('unlucky')), { maxItems: 16 });
    const results = await Promise.allSettled(numbers.map(double));
    expect(new Set(results.map(({ status }) => status))).to.deep.equal(new Set(['rejected']));
    expect(batches).to.have.length(1);
  });

  it('that pauses answers a batch before, and handles what comes meanwhile together', async () => {
    const double = createBatcher(failingWith(new Error('unlucky')), { maxItems: 16, pauseMs: 50 });
    expect(await double(1)).to.equal(2);
    const second = double(2);
    await setImmediate();
    expect(batches, 'the pause has not ended').to.deep.equal([[1]]);
    expect(await Promise.all([second, double(3)])).to.deep.equal([4, 6]);
    expect(batches).to.deep.equal([[1], [2, 3]]);
  });

  it('by owner handles the items of another owner while those of one take long', async () => {
    const gate = createGate();
    gate.close();
    const double = createOwnerBatcher(
      async (items: readonly number[]) => {
        batches.push([...items]);
        if (items.some((item) => item < 100)) await gate.pass();
        return items.map((item) => 2 * item);
      },
      { maxItems: 4, maxRunning: 2 },
    );
    const slow = Promise.all(numbers.map((item) => double('slow', item)));
    await gate.reached(2);
    expect(await Promise.all([double('quick', 100), double('quick', 101)])).to.deep.equal([200, 202]);
    expect(batches).to.deep.equal([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [100, 101],
    ]);
    gate.open();
    expect(await slow).to.deep.equal(numbers.map((item) => 2 * item));
  });
});
