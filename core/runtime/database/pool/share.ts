import { DatabaseUnavailable } from '../errors.js';
import {
  acquireMs,
  release,
  noteReturn,
  takeConnection,
  type ConnectionUse,
  type Pool,
  type PooledConnection,
} from './pool.js';

/** The source of connections: a pool, or a part of it. */
export interface Connections {
  /** @throws DatabaseUnavailable when none is free within 2 s; the driver's error when the server cannot be reached */
  take(use: ConnectionUse): Promise<PooledConnection>;
  /** @param error the error of the connection's last use */
  release(connection: PooledConnection, error?: unknown): void;
  /** Ends the connection instead of giving it back. */
  discard(connection: PooledConnection): void;
}

/** All connections of a pool. */
export const wholePool = (pool: Pool): Connections => ({
  take: (use) => takeConnection(pool, use),
  release: (connection, error) => release(pool, connection, error),
  discard(connection) {
    noteReturn(pool, connection);
    connection.destroy();
  },
});

/** Callers that had to wait for a free connection. */
export interface ConnectionWaits {
  /**
   * Called at the end of each wait.
   * @param gotOne false if no connection became free in time
   */
  record(seconds: number, gotOne: boolean): void;
}

/** @returns records a wait that begins now */
export function beginWait(waits: ConnectionWaits | undefined): (gotOne: boolean) => void {
  const began = performance.now();
  return (gotOne) => waits?.record((performance.now() - began) / 1_000, gotOne);
}

interface Waiting {
  start: () => void;
  timer: NodeJS.Timeout;
}

/** At most `most` of some connections at a time, so that the rest stay free for callers outside this share. */
export function shareOf(connections: Connections, most: number, waits?: ConnectionWaits): Connections {
  const held = new Set<PooledConnection>();
  const waiting = new Set<Waiting>();
  let used = 0;

  const free = (): void => {
    used -= 1;
    const [next] = waiting;
    if (!next) return;
    waiting.delete(next);
    clearTimeout(next.timer);
    next.start();
  };
  const take = async (use: ConnectionUse): Promise<PooledConnection> => {
    used += 1;
    try {
      const connection = await connections.take(use);
      held.add(connection);
      return connection;
    } catch (error) {
      free();
      throw error;
    }
  };
  return {
    take(use) {
      if (used < most) return take(use);
      const end = beginWait(waits);
      return new Promise((resolve, reject) => {
        const late = (): void => {
          waiting.delete(next);
          end(false);
          reject(new DatabaseUnavailable('No database connection was free within 2 s.'));
        };
        const start = (): void => {
          end(true);
          void take(use).then(resolve, reject);
        };
        const next: Waiting = { start, timer: setTimeout(late, acquireMs) };
        waiting.add(next);
      });
    },
    release(connection, error) {
      const wasHeld = held.delete(connection);
      connections.release(connection, error);
      if (wasHeld) free();
    },
    discard(connection) {
      const wasHeld = held.delete(connection);
      connections.discard(connection);
      if (wasHeld) free();
    },
  };
}
