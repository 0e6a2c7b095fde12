import { randomUUID } from 'node:crypto';
import type { Bench } from '../bench.js';
import { writeLoop } from '../floors/write-loop.js';
import { keysForRate } from '../keys.js';
import { drive, inTurn, posterTo } from '../load.js';

const warmUpMs = 2_000;
const message = JSON.stringify({
  to: 'ada@example.com',
  subject: 'Your order A-1024 is on its way',
  text: 'Hello Ada,\n\nyour order A-1024 has left our house and should be with you on Friday.\n'.repeat(4),
});

/** A write of one message: seven rows and a durable commit, each under an Idempotency-Key of its own. */
export const write: Bench = {
  name: 'write',
  target: 0.6,
  async prepare({ svc, keys, database }) {
    const { post, close } = posterTo(svc.address, '/email/send');
    const send = (key: string): Promise<void> =>
      post({ authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }, message);
    const round = (ms: number, count: number): ReturnType<typeof drive> => {
      const key = inTurn(keys, count);
      return drive(ms, () => send(key()));
    };
    await send(inTurn(keys, 1)());
    const { perSecond } = await round(warmUpMs, keys.length);
    const commit = await writeLoop(database);
    await drive(warmUpMs, commit);
    return {
      svc: { words: 'email.send', round: (ms) => round(ms, keysForRate(perSecond)) },
      floor: { words: 'mysql2: the same rows, one round trip', round: (ms) => drive(ms, commit) },
      close,
    };
  },
};
