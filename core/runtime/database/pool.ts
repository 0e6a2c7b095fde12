import type { DataSource } from 'typeorm';
import { DatabaseUnavailable } from './errors.js';
import { isRawConnection, type RawConnection } from './raw-connection.js';

/** How long a caller waits for a free connection. mysql2 would wait without end. */
const acquireMs = 2_000;

/** mysql2's pool, which TypeORM's driver opened. */
interface Pool {
  on(event: 'connection', listener: (connection: { query(sql: string): void }) => void): void;
  getConnection(done: (error: Error | null, connection: unknown) => void): void;
}

/** A connection of the pool, to be released after use. */
export interface PooledConnection extends RawConnection {
  release(): void;
}

const isPool = (value: unknown): value is Pool =>
  typeof value === 'object' && value !== null && 'on' in value && 'getConnection' in value;
const isPooled = (value: unknown): value is PooledConnection => isRawConnection(value) && 'release' in value;

export function poolOf(dataSource: DataSource): Pool {
  const pool: unknown = Reflect.get(dataSource.driver, 'pool');
  if (!isPool(pool)) throw new Error('The MySQL driver has no pool.');
  return pool;
}

/**
 * Takes a connection from the pool, without the query runner and the entity manager that TypeORM makes for each: most callers need
 * neither, and they cost as much as a statement (measured).
 * @throws DatabaseUnavailable when none is free within 2 s; the driver's error when the server cannot be reached
 */
export function takeConnection(pool: Pool): Promise<PooledConnection> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new DatabaseUnavailable('No database connection was free within 2 s.'));
    }, acquireMs);
    pool.getConnection((error, connection) => {
      clearTimeout(timer);
      if (!isPooled(connection)) reject(error ?? new Error('The MySQL driver gave no connection.'));
      // Its caller has given up waiting.
      else if (late) connection.release();
      else resolve(connection);
    });
  });
}
