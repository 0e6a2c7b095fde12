import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailable, isConflict, isConnectionLost } from './errors.js';
import { leaseConnection } from './lease.js';
import type { Session } from './session.js';
import { joined, type Statement } from './statement.js';

const tries = 3;

export interface TransactionPlan<T> {
  /** Sent with BEGIN, in its round trip. */
  opening?: Statement;
  /** What to throw, instead of trying again, when `opening` fails with this error. */
  openingRefused?: (error: unknown) => Error | undefined;
  /** Everything between. It may run up to three times, so it does nothing outside the database. */
  work: (session: Session) => Promise<T>;
  /** Sent with COMMIT, in its round trip. Read after `work`. */
  closing?: (result: T) => readonly Statement[];
  /**
   * Asked on a fresh connection after the connection was lost during COMMIT, when nobody knows whether it went through:
   * did it? Without it a lost COMMIT runs again.
   */
  landed?: (session: Session) => Promise<boolean>;
}

/**
 * Runs a plan in one READ COMMITTED transaction (the sessions' own level). A deadlock, lock time-out, snapshot conflict or lost
 * connection rolls all of it back - 1205 alone would keep the rest of the transaction - and runs it again.
 * @throws what `work` throws, after ROLLBACK; DatabaseUnavailable when the database stays away
 */
export async function runTransaction<T>(dataSource: DataSource, plan: TransactionPlan<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(dataSource, plan);
    } catch (error) {
      const lost = isConnectionLost(error);
      if (!lost && !isConflict(error)) throw error;
      if (attempt === tries) {
        throw lost ? new DatabaseUnavailable('The database connection was lost.', { cause: error }) : error;
      }
      await pause(attempt * 10 + Math.random() * 40);
    }
  }
}

async function once<T>(dataSource: DataSource, plan: TransactionPlan<T>): Promise<T> {
  const { session, release } = await leaseConnection(dataSource);
  try {
    await open(session, plan);
    let result: T;
    try {
      result = await plan.work(session);
    } catch (error) {
      await rollBack(session);
      throw error;
    }
    const commit = joined([...(plan.closing?.(result) ?? []), { sql: 'COMMIT', parameters: [] }]);
    try {
      await session.run(commit.sql, commit.parameters);
    } catch (error) {
      if (isConnectionLost(error) && plan.landed && (await hasLanded(dataSource, plan.landed))) return result;
      await rollBack(session);
      throw error;
    }
    return result;
  } finally {
    await release();
  }
}

async function open<T>(session: Session, plan: TransactionPlan<T>): Promise<void> {
  if (!plan.opening) {
    await session.run('START TRANSACTION');
    return;
  }
  try {
    await session.run(`START TRANSACTION;\n${plan.opening.sql}`, plan.opening.parameters);
  } catch (error) {
    await rollBack(session);
    throw plan.openingRefused?.(error) ?? error;
  }
}

async function rollBack(session: Session): Promise<void> {
  try {
    await session.run('ROLLBACK');
  } catch {
    // "Connection lost" or "closed state": the server rolls back what a lost connection left open.
  }
}

async function hasLanded(dataSource: DataSource, landed: (session: Session) => Promise<boolean>): Promise<boolean> {
  const { session, release } = await leaseConnection(dataSource);
  try {
    return await landed(session);
  } finally {
    await release();
  }
}
