import { randomUUID } from 'node:crypto';
import type { Bench, Round } from '../bench.js';
import { writeLoop } from '../floors/write-loop.js';
import { keysForRate } from '../keys.js';
import { drive, inTurn, posterTo } from '../load.js';
import type { Stage } from '../stage.js';

type Rounds = (ms: number) => Promise<Round>;

const warmUpMs = 2_000;
const message = JSON.stringify({
  to: 'ada@example.com',
  subject: 'Your order A-1024 is on its way',
  text: 'Hello Ada,\n\nyour order A-1024 has left our house and should be with you on Friday.\n'.repeat(4),
});

/** Sends messages to one server, each with its own Idempotency-Key, and each API key at a third of its rate limit. */
export function messageSender(
  address: string,
  { keys }: Stage,
): { first(): Promise<void>; warm(): Promise<Rounds>; close(): Promise<void> } {
  const { post, close } = posterTo(address, '/email/send');
  const send = (key: string): Promise<void> =>
    post({ authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }, message);
  const round = (ms: number, count: number): Promise<Round> => {
    const key = inTurn(keys, count);
    return drive(ms, () => send(key()));
  };
  return {
    close,
    first: () => send(inTurn(keys, 1)()),
    async warm() {
      const { perSecond } = await round(warmUpMs, keys.length);
      return (ms) => round(ms, keysForRate(perSecond));
    },
  };
}

/** Sends one message: seven rows and a durable commit. Its floor is the transaction without HTTP. */
export const write: Bench = {
  name: 'write',
  target: 0.45,
  async prepare(stage) {
    const svc = messageSender(stage.svc.address, stage);
    // The floor copies the rows of this message.
    await svc.first();
    const round = await svc.warm();
    const commit = await writeLoop(stage.database);
    await drive(warmUpMs, commit);
    return {
      svc: { words: 'email.send', pid: stage.svc.pid, round },
      floor: {
        words: 'mysql2: the same rows, one round trip, no HTTP',
        pid: process.pid,
        round: (ms) => drive(ms, commit),
      },
      close: () => svc.close(),
    };
  },
};

/** The same write, compared with the floor's transaction behind a minimal HTTP server that checks the key. */
export const writeOverHttp: Bench = {
  name: 'write-over-http',
  target: 0.7,
  async prepare(stage) {
    const svc = messageSender(stage.svc.address, stage);
    await svc.first();
    const server = await stage.startFloor('write-server');
    const floor = messageSender(server.address, stage);
    return {
      svc: { words: 'email.send', pid: stage.svc.pid, round: await svc.warm() },
      floor: {
        words: 'Koa + Map + key hash + Ajv, the same rows in one round trip',
        pid: server.pid,
        round: await floor.warm(),
      },
      async close() {
        await Promise.all([svc.close(), floor.close()]);
        await server.stop();
      },
    };
  },
};
