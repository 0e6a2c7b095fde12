import type { Bench, Side } from '../bench.js';
import type { Child } from '../child.js';
import { keysForRate } from '../keys.js';
import { drive, inTurn, posterTo } from '../load.js';
import type { Stage } from '../stage.js';

const path = '/account/get';
const warmUpMs = 2_000;

/** Calls one server with each key at a third of its rate limit. */
async function caller(
  words: string,
  { address, pid }: Child,
  { keys }: Stage,
): Promise<Side & { close(): Promise<void> }> {
  const { post, close } = posterTo(address, path);
  const round = (ms: number, count: number): ReturnType<Side['round']> => {
    const key = inTurn(keys, count);
    return drive(ms, () => post({ authorization: `Bearer ${key()}` }, '{}'));
  };
  const { perSecond } = await round(warmUpMs, keys.length);
  return { words, pid, close, round: (ms) => round(ms, keysForRate(perSecond)) };
}

/** A read of three statements in one round trip, after the lookup of the key. */
export const read: Bench = {
  name: 'read',
  target: 0.8,
  async prepare(stage) {
    const server = await stage.startFloor('read-server');
    const svc = await caller('account.get', stage.svc, stage);
    const floor = await caller('Koa + Map + key hash + Ajv, the same statements and round trips', server, stage);
    return {
      svc,
      floor,
      async close() {
        await Promise.all([svc.close(), floor.close()]);
        await server.stop();
      },
    };
  },
};
