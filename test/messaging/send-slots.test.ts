import { expect } from 'chai';
import { createSendSlots, type SendSlot } from '#core/messaging/delivery/send-slots.js';

/** Those that have a slot, in the order in which they got it. */
const entering = (concurrency: number, perEnvironment: number) => {
  const { acquire } = createSendSlots({ concurrency }, () => perEnvironment);
  const slots: [name: string, slot: SendSlot][] = [];
  return {
    slots,
    names: () => slots.map(([name]) => name),
    async ask(name: string, lane = 2): Promise<void> {
      void acquire(name.slice(0, 1), lane).then((slot) => slot && slots.push([name, slot]));
      await Promise.resolve();
    },
  };
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Messages that are submitted at once', () => {
  it('are bounded by lane and environment; environments take turns', async () => {
    const { ask, names, slots } = entering(3, 2);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) await ask(name);
    await ask('c1', 0);
    await settled();
    expect(names()).to.deep.equal(['a1', 'a2', 'b1', 'c1']);
    for (const [, slot] of slots.splice(0, 3)) slot.end();
    await settled();
    expect(names()).to.deep.equal(['c1', 'a3', 'b2', 'a4']);
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
