import { expect } from 'chai';
import { limitHandOvers, type Place } from '#core/messaging/delivery/hand-overs.js';

/** Those that have a place, in the order in which they got it. */
const entering = (concurrency: number, perEnvironment: number) => {
  const { acquire } = limitHandOvers({ concurrency }, () => perEnvironment);
  const places: [name: string, place: Place][] = [];
  return {
    places,
    names: () => places.map(([name]) => name),
    async ask(name: string, lane = 2): Promise<void> {
      void acquire(name.slice(0, 1), lane).then((place) => place && places.push([name, place]));
      await Promise.resolve();
    },
  };
};
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Messages that are handed over at once', () => {
  it('are bounded by lane and environment; environments take turns', async () => {
    const { ask, names, places } = entering(3, 2);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) await ask(name);
    await ask('c1', 0);
    await settled();
    expect(names()).to.deep.equal(['a1', 'a2', 'b1', 'c1']);
    for (const [, place] of places.splice(0, 3)) place.end();
    await settled();
    expect(names()).to.deep.equal(['c1', 'a3', 'b2', 'a4']);
  });

  it('are few beyond those that are recorded: only they could be sent again', async () => {
    const { ask, names, places } = entering(2, 2);
    for (let n = 0; n < 20; n += 1) await ask(`a${n}`);
    for (let round = 0; round < 20; round += 1) {
      await settled();
      for (const [, place] of places) place.release();
    }
    expect(names()).to.have.length(8);
    places[0]?.[1].end();
    await settled();
    expect(names()).to.have.length(9);
  });
});
