import { expect } from 'chai';
import { createSendSlots, type SendSlot } from '#core/messaging/delivery/send-slots.js';

/** Those that have a slot, in the order in which they got it. */
const entering = (concurrency: number, perAccount: number) => {
  const { acquire } = createSendSlots({ concurrency }, () => perAccount);
  const slots: [name: string, slot: SendSlot][] = [];
  return {
    slots,
    names: () => slots.map(([name]) => name),
    async ask(name: string, lane = 2): Promise<void> {
      void acquire([name.slice(0, 1)], lane).then((slot) => slot && slots.push([name, slot]));
      await Promise.resolve();
    },
  };
};
/** A message of the account a or b in one of its environments: a1/1 is the first of the environment a1. */
const turnsIn = (name: string): string[] => [name.slice(0, 1), name.slice(0, 2)];
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Messages that are submitted at once', () => {
  it('are bounded by lane and account; accounts take turns', async () => {
    const { ask, names, slots } = entering(3, 2);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) await ask(name);
    await ask('c1', 0);
    await settled();
    expect(names()).to.deep.equal(['a1', 'a2', 'b1', 'c1']);
    for (const [, slot] of slots.splice(0, 3)) slot.end();
    await settled();
    expect(names()).to.deep.equal(['c1', 'a3', 'b2', 'a4']);
  });

  it('of one account take turns with those of another, in however many environments they are', async () => {
    const { acquire } = createSendSlots({ concurrency: 3 }, () => 2);
    const order: string[] = [];
    const slots: SendSlot[] = [];
    const ask = (name: string): void =>
      void acquire(turnsIn(name), 2).then((slot) => {
        if (!slot) return;
        order.push(name);
        slots.push(slot);
      });
    for (let environment = 0; environment < 10; environment += 1) for (const n of [1, 2]) ask(`a${environment}/${n}`);
    for (const n of [1, 2]) ask(`b0/${n}`);
    await settled();
    // Two of the account a, from two environments, and the third slot for b.
    expect(order).to.deep.equal(['a0/1', 'a0/2', 'b0/1']);
    slots.shift()?.end();
    await settled();
    expect(order.at(-1)).to.equal('a1/1');
    slots.shift()?.end();
    await settled();
    expect(order.at(-1)).to.equal('b0/2');
  });

  it('are few beyond those that are recorded: only they could be sent again', async () => {
    const { ask, names, slots } = entering(2, 2);
    for (let n = 0; n < 20; n += 1) await ask(`a${n}`);
    for (let round = 0; round < 20; round += 1) {
      await settled();
      for (const [, slot] of slots) slot.release();
    }
    expect(names()).to.have.length(8);
    slots[0]?.[1].end();
    await settled();
    expect(names()).to.have.length(9);
  });
});
