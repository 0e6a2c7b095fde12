import { randomInt } from 'node:crypto';
import { hashSync, verify } from '@node-rs/argon2';
import type { Bench, Round } from '../bench.js';
import { call } from '../call.js';
import type { Child } from '../child.js';
import { mintPublishable } from '../keys.js';
import { drive, inTurn, percentile, posterTo, type Poster } from '../load.js';
import type { Stage } from '../stage.js';

const warmUpMs = 2_000;
/** Each user signs in at most 100 times a minute, the highest value of rateLimits.startPerIdentifier. */
const userCount = 1_000;
/** At 100 sign-ins a second, which two cores can do, each key is at a third of its rate limit. */
const keyCount = 30;
const othersPerSecond = 50;
/** Few, as an app has them: a call with a key that was not used recently first has to reserve requests of its limit. */
const otherKeys = 20;
const aloneMs = 4_000;
const password = 'correct horse battery staple';
const hash = hashSync(password);
const addressOf = (n: number): string => `user-${n}@example.com`;

/** As many clients as the limit per IP address requires: the node trusts this machine's X-Forwarded-For. */
const someAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/**
 * Calls account.get at a steady rate while `work` runs, even if answers are late. @returns milliseconds of each call
 */
async function beside<T>(
  other: Poster,
  key: () => string,
  work: () => Promise<T>,
): Promise<{ done: T; took: number[] }> {
  const took: number[] = [];
  const open: Promise<void>[] = [];
  const timer = setInterval(() => {
    const began = performance.now();
    open.push(
      other.post({ authorization: `Bearer ${key()}` }, '{}').then(() => void took.push(performance.now() - began)),
    );
  }, 1_000 / othersPerSecond);
  try {
    return { done: await work(), took };
  } finally {
    clearInterval(timer);
    await Promise.all(open);
  }
}

async function importUsers(stage: Stage): Promise<void> {
  const limit = { max: 100, windowSeconds: 60 };
  await call(stage, 'auth.settings.set', { rateLimits: { startPerIdentifier: limit, startPerIp: limit } });
  const users = Array.from({ length: userCount }, (_, n) => ({
    email: addressOf(n),
    emailVerified: true,
    passwordHash: hash,
  }));
  await call(stage, 'auth.user.import', { users });
}

/** A node that handles sign-ins, and one sign-in after the other. */
interface SigningIn {
  node: Child;
  attempt: () => Promise<void>;
  close(): Promise<void>;
}

/** Starts a node with users who have a password. */
export async function signingIn(stage: Stage): Promise<SigningIn> {
  await importUsers(stage);
  const node = await stage.startNode({ SVC_TRUST_PROXY: '127.0.0.1' });
  const signIn = posterTo(node.address, '/auth/password/signin');
  const user = inTurn(
    Array.from({ length: userCount }, (_, n) => addressOf(n)),
    userCount,
  );
  const key = inTurn(await mintPublishable(stage.database, stage.keys[0] ?? '', keyCount), keyCount);
  const attempt = (): Promise<void> =>
    signIn.post(
      { authorization: `Bearer ${key()}`, 'x-forwarded-for': someAddress() },
      JSON.stringify({ email: user(), password }),
    );
  await drive(warmUpMs, attempt);
  return {
    node,
    attempt,
    async close() {
      await signIn.close();
      await node.stop();
    },
  };
}

/**
 * Signs users in with their password, each a session with its event and audit record, while 50 other calls a second
 * run. Its floor is only argon2id, with the same concurrency.
 */
export const passwordSignIn: Bench = {
  name: 'password-signin',
  target: 0.8,
  async prepare(stage) {
    const { node, attempt, close } = await signingIn(stage);
    const other = posterTo(node.address, '/account/get');
    const otherKey = inTurn(stage.keys, otherKeys);
    const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, aloneMs));
    await beside(other, otherKey, wait);
    const alone = (await beside(other, otherKey, wait)).took;
    const meanwhile: number[] = [];
    const round = async (ms: number): Promise<Round> => {
      const { done, took } = await beside(other, otherKey, () => drive(ms, attempt));
      meanwhile.push(...took);
      return done;
    };
    const bare = async (): Promise<void> => {
      if (!(await verify(hash, password))) throw new Error('The password is not the one that was hashed.');
    };
    return {
      svc: { words: `auth.password.signin beside ${othersPerSecond} other calls a second`, pid: node.pid, round },
      floor: { words: 'argon2id alone', pid: process.pid, round: (ms) => drive(ms, bare) },
      async notes() {
        const [without, during] = [alone, meanwhile].map((times) => percentile(times, 0.99).toFixed(1));
        return [
          `p99 of the other calls: ${without} ms without sign-ins, ${during} ms beside them (wanted: under 100 ms)`,
        ];
      },
      async close() {
        await other.close();
        await close();
      },
    };
  },
};
