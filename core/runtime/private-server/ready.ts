import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import type { Account } from './account.js';
import type { Running } from './launch.js';

/** Runs one statement over a connection of its own. */
export async function ask({ port }: Running, { user, password }: Account, sql: string): Promise<void> {
  let connection: Connection | undefined;
  try {
    connection = await createConnection({ host: '127.0.0.1', port, user, password, connectTimeout: 5_000 });
    await connection.query(sql);
  } finally {
    connection?.destroy();
  }
}

/**
 * Waits until the server answers a question of ours.
 * @param patienceMs how long; recovering from a crash may take minutes
 * @throws when it ends or stays silent, or when `signal` says to give up
 */
export async function answers(
  server: Running,
  account: Account,
  { patienceMs, signal }: { patienceMs: number; signal?: AbortSignal },
): Promise<void> {
  const last = Date.now() + patienceMs;
  for (;;) {
    const refused = await ask(server, account, 'SELECT 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refused === undefined) return;
    signal?.throwIfAborted();
    if (server.hasEnded()) throw new Error(`The database server ended while starting: ${await server.ended}`);
    if (Date.now() > last) {
      throw new Error(`The database server (pid ${server.pid}) does not answer`, { cause: refused });
    }
    await delay(25);
  }
}

/** Whether `wait` resolves within `ms`. */
async function within(wait: Promise<unknown>, ms: number): Promise<boolean> {
  const timeOut = new AbortController();
  const late = delay(ms, false, { signal: timeOut.signal }).catch(() => false);
  try {
    return await Promise.race([wait.then(() => true), late]);
  } finally {
    timeOut.abort();
  }
}

function send(server: Running, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (!server.hasEnded()) process.kill(server.pid, signal);
  } catch {
    // It ended between the question and the signal.
  }
}

/** Asks a server to end, and kills it when it has not after 30 seconds. */
export async function end(server: Running): Promise<void> {
  send(server, 'SIGTERM');
  if (await within(server.ended, 30_000)) return;
  send(server, 'SIGKILL');
  await within(server.ended, 5_000);
}

/** What the server wrote into its log after `from` bytes: the end of its complaints, or of everything. */
export async function logSince(path: string, from: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - 65_536);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - start)), { position: start });
    const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
    const complaints = lines.filter((line) => line.includes('[ERROR]'));
    return (complaints.length > 0 ? complaints : lines).slice(-12).join('\n');
  } finally {
    await file.close();
  }
}
