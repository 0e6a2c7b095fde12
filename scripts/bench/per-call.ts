import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { people } from './floors/contact-rows.js';
import { posterTo } from './load.js';
import { countRoundTrips } from './round-trips.js';
import type { Stage } from './stage.js';

/** Calls of each operation. Together with the warm-up they stay below the rate limit of a key. */
const calls = 100;
const warmUps = 10;
const idleMs = 5_000;

/** Database round trips of a process with this role. */
export interface RoundTrips {
  role: 'api' | 'all';
  /** By operation, per call, with one caller that makes one call after the other. */
  perCall: ReadonlyMap<string, number>;
  /** Per second, while idle. */
  idle: number;
}

const message = JSON.stringify({ to: 'ada@example.com', subject: 'Your order A-1024', text: 'It is on its way.' });

/** The measured calls, with an Idempotency-Key for email.send. */
const counted: readonly { name: string; path: string; body: () => string; key?: () => string }[] = [
  { name: 'account.get', path: '/account/get', body: () => '{}' },
  { name: 'audience.contact.upsert', path: '/audience/contact/upsert', body: () => JSON.stringify(people(1, true)[0]) },
  { name: 'email.send', path: '/email/send', body: () => message, key: () => randomUUID() },
  { name: 'email.send, repeated', path: '/email/send', body: () => message, key: () => 'repeated' },
];

/** Waits until the work of earlier benches is done: fewer than 50 round trips in a second, for two minutes at most. */
async function untilQuiet(take: () => number): Promise<void> {
  for (let second = 0; second < 120; second += 1) {
    take();
    await pause(1_000);
    if (take() < 50 && second > 0) return;
  }
}

/**
 * Counts the round trips of a fresh process. With the role `all`, they include the work of its workers for each call:
 * the fan-out of its events, and the delivery of its message.
 */
export async function roundTripsOf(stage: Stage, role: RoundTrips['role']): Promise<RoundTrips> {
  const counter = await countRoundTrips(stage.databaseUrl);
  const node = await stage.startNode({ SVC_DATABASE_URL: counter.url, SVC_ROLE: role });
  try {
    await untilQuiet(() => counter.take().length);
    await pause(idleMs);
    const idle = counter.take().length / (idleMs / 1_000);
    const perCall = new Map<string, number>();
    for (const [index, { name, path, body, key }] of counted.entries()) {
      const { post, close } = posterTo(node.address, path);
      const bearer = stage.keys[index] ?? '';
      const call = (): Promise<void> =>
        post({ authorization: `Bearer ${bearer}`, ...(key ? { 'idempotency-key': key() } : {}) }, body());
      for (let done = 0; done < warmUps; done += 1) await call();
      await pause(1_000);
      counter.take();
      const began = performance.now();
      for (let done = 0; done < calls; done += 1) await call();
      const seconds = (performance.now() - began) / 1_000;
      perCall.set(name, (counter.take().length - idle * seconds) / calls);
      await close();
    }
    return { role, perCall, idle };
  } finally {
    await node.stop();
    await counter.close();
  }
}
