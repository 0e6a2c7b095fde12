import { Duplex } from 'node:stream';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailable, isReadOnlyServer, NoCommits } from '../errors.js';
import { isRawConnection, type RawConnection } from '../raw-connection.js';

/** How long a caller waits for a free connection. mysql2 would wait forever. */
export const acquireMs = 2_000;

/** After the pool was renewed, connections that are opened are kept this long even if the server is still read-only. */
const renewalMs = 1_000;

/** What a connection is taken for. A server that commits nothing can still answer reads. */
export type ConnectionUse = 'read' | 'write';

/** mysql2's pool, which TypeORM's driver opened. */
export interface Pool {
  on(event: 'connection', listener: (connection: { query(sql: string): void }) => void): void;
  getConnection(done: (error: Error | null, connection: unknown) => void): void;
  /** Each new connection gets a copy of it. */
  readonly config: { readonly connectionConfig: ServerOfConnection };
}

interface ServerOfConnection {
  host: string;
  port: number;
}

/** A connection of the pool, to be released after use. */
export interface PooledConnection extends RawConnection {
  readonly config: Readonly<ServerOfConnection>;
  release(): void;
}

/**
 * When each connection was opened, and since when the connections of a pool are good. Milliseconds of
 * performance.now().
 */
const openedAt = new WeakMap<object, number>();
const goodSince = new WeakMap<Pool, number>();

/** Why no connection may be taken, while the server of a pool answers no statements. */
const closed = new WeakMap<Pool, string>();

/** Why no connection may be taken for changes, while the server of a pool commits nothing. */
const withoutWrites = new WeakMap<Pool, string>();

interface Taken {
  /** In milliseconds of performance.now(). */
  readonly since: number;
  readonly use: ConnectionUse;
}

/** The connections in use. */
const taken = new WeakMap<Pool, Map<PooledConnection, Taken>>();

const isPool = (value: unknown): value is Pool =>
  typeof value === 'object' && value !== null && 'on' in value && 'getConnection' in value && 'config' in value;
const isPooled = (value: unknown): value is PooledConnection =>
  isRawConnection(value) && 'release' in value && 'config' in value;

export function poolOf(dataSource: DataSource): Pool {
  const pool: unknown = Reflect.get(dataSource.driver, 'pool');
  if (!isPool(pool)) throw new Error('The MySQL driver has no pool.');
  return pool;
}

/** Runs `settings` on each connection that the pool opens afterwards. */
export function prepareConnections(pool: Pool, settings: string): void {
  pool.on('connection', (connection) => {
    openedAt.set(connection, performance.now());
    connection.query(settings);
  });
}

/** Whether the connection was opened before its pool was renewed, or leads to a server that the pool has left. */
const isOld = (pool: Pool, connection: PooledConnection): boolean =>
  (openedAt.get(connection) ?? 0) < (goodSince.get(pool) ?? 0) || !leadsTo(connection, pool.config.connectionConfig);

const leadsTo = ({ config }: PooledConnection, { host, port }: ServerOfConnection): boolean =>
  config.host === host && config.port === port;

/**
 * Makes the pool connect to another server. Free connections to the former one end when they are next taken.
 * @param isGone whether the former server cannot be used any more: then the connections in use end too, because a
 *   statement on a server that hangs would keep its caller until TCP gives up
 */
export function moveTo(pool: Pool, { host, port }: Readonly<ServerOfConnection>, isGone: boolean): void {
  Object.assign(pool.config.connectionConfig, { host, port });
  closed.delete(pool);
  if (isGone) cutOld(pool, 'The primary changed.');
}

/**
 * Ends the connections in use, because their server does not answer. The free ones end when they are next taken.
 */
export function cutAll(pool: Pool): void {
  goodSince.set(pool, performance.now());
  cutOld(pool, 'The database server does not answer.');
}

/** Refuses connections until `reopen` or `moveTo`: their callers would wait for nothing. @param reason a sentence */
export const close = (pool: Pool, reason: string): void => void closed.set(pool, reason);

export const reopen = (pool: Pool): void => void closed.delete(pool);

/** Whether `close` was called, and nothing has changed since. */
export const isClosed = (pool: Pool): boolean => closed.has(pool);

/**
 * Refuses connections for changes until `allowWrites`, and ends those in use: their statements wait for a commit that
 * does not come. Connections for reads go on. @param reason a sentence
 */
export function refuseWrites(pool: Pool, reason: string): void {
  withoutWrites.set(pool, reason);
  for (const [connection, { use }] of taken.get(pool) ?? [])
    if (use === 'write') cut(connection, new NoCommits(reason));
}

export const allowWrites = (pool: Pool): void => void withoutWrites.delete(pool);

/** Ends connections whose server may not answer: their statements fail as when the network fails. */
function cutOld(pool: Pool, reason: string): void {
  for (const connection of taken.get(pool)?.keys() ?? [])
    if (isOld(pool, connection)) cut(connection, new Error(reason));
}

/** @param error of the statements that wait on the connection; its code tells the driver that it is lost */
function cut(connection: PooledConnection, error: Error): void {
  const stream: unknown = Reflect.get(connection, 'stream');
  if (stream instanceof Duplex) stream.destroy(Object.assign(error, { code: 'PROTOCOL_CONNECTION_LOST' }));
  else connection.destroy();
}

/** Since when the connection that was taken first is in use; undefined if none is. */
export function inUseSince(pool: Pool): number | undefined {
  const [first] = taken.get(pool)?.values() ?? [];
  return first?.since;
}

/** To be called when a caller no longer uses the connection. */
export const noteReturn = (pool: Pool, connection: PooledConnection): void => void taken.get(pool)?.delete(connection);

function noteTaken(pool: Pool, connection: PooledConnection, use: ConnectionUse): void {
  const all = taken.get(pool) ?? new Map<PooledConnection, Taken>();
  taken.set(pool, all.set(connection, { since: performance.now(), use }));
}

/**
 * Returns a connection. If the server answered that it is read-only, the connection ends, and so does each one that was
 * opened before, when it is next taken: after a fail-over the address leads to another server, but open connections
 * still lead to the old one.
 * @param error the error of the connection's last use
 */
export function release(pool: Pool, connection: PooledConnection, error?: unknown): void {
  noteReturn(pool, connection);
  if (!isReadOnlyServer(error)) {
    connection.release();
    return;
  }
  const now = performance.now();
  // Not at each failure: while the server stays read-only, calls would open connections all the time.
  if (now - (goodSince.get(pool) ?? -renewalMs) >= renewalMs) goodSince.set(pool, now);
  connection.destroy();
}

/**
 * Takes a connection from the pool, without the query runner and the entity manager that TypeORM makes for each: most
 * callers need neither, and they cost as much as a statement (measured).
 * @throws DatabaseUnavailable when none is free within 2 s, or the pool is closed; NoCommits for changes, after
 *   `refuseWrites`; the driver's error when the server cannot be reached
 */
export function takeConnection(pool: Pool, use: ConnectionUse): Promise<PooledConnection> {
  const reason = closed.get(pool);
  if (reason !== undefined) return Promise.reject(new DatabaseUnavailable(reason));
  const refused = use === 'write' ? withoutWrites.get(pool) : undefined;
  if (refused !== undefined) return Promise.reject(new NoCommits(refused));
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    let late = false;
    let timer: NodeJS.Timeout | undefined;
    pool.getConnection((error, connection) => {
      isAnswered = true;
      clearTimeout(timer);
      if (!isPooled(connection)) reject(error ?? new Error('The MySQL driver gave no connection.'));
      // Its caller has given up waiting.
      else if (late) connection.release();
      else if (isOld(pool, connection)) {
        connection.destroy();
        takeConnection(pool, use).then(resolve, reject);
      } else if (use === 'write' && withoutWrites.has(pool)) {
        connection.release();
        reject(new NoCommits(withoutWrites.get(pool)));
      } else {
        noteTaken(pool, connection, use);
        resolve(connection);
      }
    });
    // The pool gives a free connection at the next tick: most calls need no timer.
    process.nextTick(() => {
      if (isAnswered) return;
      timer = setTimeout(() => {
        late = true;
        reject(new DatabaseUnavailable('No database connection was free within 2 s.'));
      }, acquireMs);
    });
  });
}
