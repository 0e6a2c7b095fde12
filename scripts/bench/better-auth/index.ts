import type { Bench, Contest, Side } from '../bench.js';
import { verifyingSide } from '../benches/sessions.js';
import { signingIn } from '../benches/password-signin.js';
import type { Child } from '../child.js';
import { drive, getterTo, inTurn, posterTo } from '../load.js';
import type { Stage } from '../stage.js';
import { installBetterAuth } from './install.js';

/*
 * Compares svc with better-auth on the same database server and machine, with the same number of connections, in
 * alternating rounds. These benches are run by name: `npm run bench -- better-auth`. better-auth is installed on demand
 * (install.ts).
 */

const warmUpMs = 2_000;
const userCount = 20;
const password = 'correct horse battery staple';
/** Each bench has separate users. */
const addressOf = (bench: string, n: number): string => `${bench}-${n}@example.com`;

type ClosingSide = Side & { close(): Promise<void> };

/** Posts to better-auth as a page of the same origin would. */
async function post({ address }: Child, path: string, body: object): Promise<Response> {
  const answer = await fetch(`${address}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`better-auth answered ${answer.status} to ${path}: ${await answer.text()}`);
  return answer;
}

/** Starts better-auth with some users. @param hash its default scrypt, or the argon2id of svc */
async function startBetterAuth(stage: Stage, hash: 'scrypt' | 'argon2id', bench: string): Promise<Child> {
  const path = await installBetterAuth((line) => process.stdout.write(`${line}\n`));
  const server = await stage.startProgram(path, { BENCH_HASH: hash, NODE_ENV: 'production' });
  for (let n = 0; n < userCount; n += 1)
    await post(server, 'sign-up/email', { email: addressOf(bench, n), password, name: `User ${n}` });
  return server;
}

async function betterAuthSignIns(server: Child, hash: 'scrypt' | 'argon2id'): Promise<ClosingSide> {
  const { post: signIn, close } = posterTo(server.address, '/api/auth/sign-in/email');
  const user = inTurn(
    Array.from({ length: userCount }, (_, n) => addressOf(hash, n)),
    userCount,
  );
  const attempt = (): Promise<void> => signIn({ origin: server.address }, JSON.stringify({ email: user(), password }));
  await drive(warmUpMs, attempt);
  return { words: `better-auth sign-in/email, ${hash}`, pid: server.pid, round: (ms) => drive(ms, attempt), close };
}

async function betterAuthReads(server: Child): Promise<ClosingSide> {
  const cookies: string[] = [];
  for (let n = 0; n < userCount; n += 1) {
    const answer = await post(server, 'sign-in/email', { email: addressOf('reader', n), password });
    cookies.push(
      answer.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    );
  }
  const { get, close } = getterTo(server.address, '/api/auth/get-session');
  const cookie = inTurn(cookies, cookies.length);
  const read = (): Promise<void> => get({ cookie: cookie() });
  await drive(warmUpMs, read);
  return { words: 'better-auth get-session', pid: server.pid, round: (ms) => drive(ms, read), close };
}

const contestOf = (svc: ClosingSide, floor: ClosingSide, server: Child): Contest => ({
  svc,
  floor,
  async close() {
    await Promise.all([svc.close(), floor.close()]);
    await server.stop();
  },
});

const signIns = (hash: 'scrypt' | 'argon2id', target: number): Bench => ({
  name: `better-auth sign-in, ${hash}`,
  target,
  async prepare(stage) {
    const { node, attempt, close } = await signingIn(stage);
    const words = 'auth.password.signin, argon2id';
    const svc = { words, pid: node.pid, round: (ms: number) => drive(ms, attempt), close };
    const server = await startBetterAuth(stage, hash, hash);
    return contestOf(svc, await betterAuthSignIns(server, hash), server);
  },
});

const sessionReads: Bench = {
  name: 'better-auth session',
  target: 3,
  async prepare(stage) {
    const svc = await verifyingSide(stage);
    const server = await startBetterAuth(stage, 'scrypt', 'reader');
    return contestOf(svc, await betterAuthReads(server), server);
  },
};

export const betterAuthBenches: readonly Bench[] = [signIns('scrypt', 12), signIns('argon2id', 1), sessionReads];
