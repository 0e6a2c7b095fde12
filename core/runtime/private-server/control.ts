import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import type { DatabaseUser } from './user.js';
import { driverFacts } from '../database/errors.js';
import type { Running } from './launch.js';
import type { Layout } from './layout.js';

/** Reads a number, such as a variable's value, on a new connection. */
export async function readNumber(
  { socket }: Layout,
  { user, password }: DatabaseUser,
  expression: string,
): Promise<number> {
  let connection: Connection | undefined;
  try {
    connection = await createConnection({ socketPath: socket, user, password, connectTimeout: 5_000 });
    const [[row]] = await connection.query<RowDataPacket[]>(`SELECT ${expression} AS number`);
    return Number(row?.['number']);
  } finally {
    connection?.destroy();
  }
}

/**
 * Access denied, with a password and without one (for a user that does not exist, MariaDB answers either), or to the
 * host; another authentication method is requested; the password has expired; the account is locked.
 */
const refusals = new Set([1045, 1698, 1044, 1130, 1251, 1820, 1862, 3118, 4151]);

/** The server knows its users before it listens (see user.ts), so that a refusal is final. */
const isRefusedUser = (error: unknown): boolean => refusals.has(driverFacts(error).errno ?? 0);

/**
 * Waits until the server answers a query.
 * @param timeoutMs how long to wait; recovering from a crash may take minutes
 * @throws if the server ends, refuses the user or does not answer in time, or if `signal` aborts
 */
export async function waitUntilReady(
  server: Running,
  { layout, user }: { layout: Layout; user: DatabaseUser },
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const refused = await readNumber(layout, user, '1').then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refused === undefined) return;
    if (isRefusedUser(refused))
      throw new Error(`The database server (pid ${server.pid}) refuses the user`, { cause: refused });
    signal?.throwIfAborted();
    if (server.hasEnded()) throw new Error(`The database server ended while starting: ${await server.ended}`);
    if (Date.now() > deadline) {
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
    // It ended before the signal was sent.
  }
}

/** Stops a server with SIGTERM, and kills it after 30 seconds. */
export async function stopServer(server: Running): Promise<void> {
  send(server, 'SIGTERM');
  if (await within(server.ended, 30_000)) return;
  send(server, 'SIGKILL');
  await within(server.ended, 5_000);
}

/** The last lines that the server wrote to its log after `from` bytes: its errors, or all lines if there are none. */
export async function readLogSince(path: string, from: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - 65_536);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - start)), { position: start });
    const lines = buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n');
    const errors = lines.filter((line) => line.includes('[ERROR]'));
    return (errors.length > 0 ? errors : lines).slice(-12).join('\n');
  } finally {
    await file.close();
  }
}
