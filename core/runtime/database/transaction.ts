import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailable, isConflict, isConnectionLost, isDuplicate } from './errors.js';
import { acquireConnection, type AcquiredConnection } from './connection.js';
import type { Session } from './session.js';
import { joined, type Statement } from './statement.js';

const tries = 3;

export interface TransactionPlan<T> {
  /** Sent with BEGIN and the first statement of `work`, in their round trip. */
  opening?: Statement;
  /** What to throw, instead of trying again, when `opening` fails with this error. */
  openingRefused?: (error: unknown) => Error | undefined;
  /** Everything between. It may run up to three times, so it does nothing outside the database. */
  work: (session: Session) => Promise<T>;
  /** Sent with COMMIT, in its round trip. Read after `work`. */
  closing?: (result: T) => readonly Statement[];
  /**
   * Asked on a fresh connection after the connection was lost during COMMIT, when nobody knows whether it went through:
   * did it? Nothing runs again until this has answered. Without it a lost COMMIT runs again.
   */
  landed?: (session: Session) => Promise<boolean>;
}

/**
 * Runs a plan in one READ COMMITTED transaction (the sessions' own level). A deadlock, lock time-out, snapshot conflict or lost
 * connection rolls all of it back - 1205 alone would keep the rest of the transaction - and runs it again.
 * @throws what `work` throws, after ROLLBACK; DatabaseUnavailable when the database stays away
 */
export async function runTransaction<T>(dataSource: DataSource, plan: TransactionPlan<T>): Promise<T> {
  const doubt: Doubt<T> = {};
  let apart = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (doubt.about && (await hasLanded(dataSource, plan))) return doubt.about.result;
      return await once(dataSource, plan, doubt, apart);
    } catch (error) {
      if (error instanceof Unclear) {
        apart = true;
        attempt -= 1;
        continue;
      }
      // A COMMIT can land late, after it was asked for: the next try then meets its rows.
      if (doubt.about && isDuplicate(error) && (await hasLanded(dataSource, plan))) return doubt.about.result;
      // Waiting for a connection has taken its time already.
      if (error instanceof DatabaseUnavailable) throw error;
      const lost = isConnectionLost(error);
      if (!lost && !isConflict(error)) throw error;
      if (attempt === tries) {
        throw lost ? new DatabaseUnavailable('The database connection was lost.', { cause: error }) : error;
      }
      await pause(attempt * 10 + Math.random() * 40);
    }
  }
}

/** What a COMMIT would have returned whose answer was lost, until it is known whether it went through. */
interface Doubt<T> {
  about?: { result: T };
}

/** Several statements went together, and one of them was refused: run them apart to learn which, and let `work` see to its own. */
class Unclear extends Error {}

/** Is it a refusal of one statement? A conflict or a lost connection is the whole transaction's. */
const isUnclear = (lost: unknown): boolean => lost !== undefined && !isConflict(lost) && !isConnectionLost(lost);

/** @param apart send each statement in a round trip of its own; else the opening goes with the first of `work`, and what is put off with the next */
async function once<T>(dataSource: DataSource, plan: TransactionPlan<T>, doubt: Doubt<T>, apart: boolean): Promise<T> {
  const lease = await acquireConnection(dataSource);
  const { session, pipeline } = lease;
  try {
    if (apart) await open(lease, plan);
    else pipeline.set(beginning(plan));
    let result: T;
    try {
      result = await plan.work(session);
      await pipeline.settle();
      // Whatever `work` made of it: without its opening nothing may commit.
      if (plan.opening && pipeline.openingFailure() !== undefined) throw pipeline.openingFailure();
      if (pipeline.deferredFailure() !== undefined) throw pipeline.deferredFailure();
    } catch (error) {
      // A refused opening has the first word, also where `work` gave up before it asked the database anything.
      await pipeline.settle();
      const failure = pipeline.openingFailure();
      await rollBack(lease);
      const refused = failure !== undefined && plan.openingRefused?.(failure) !== undefined;
      throw refused || isUnclear(pipeline.deferredFailure()) ? new Unclear() : (pipeline.deferredFailure() ?? error);
    }
    const rest = pipeline.takeDeferred();
    const commit = joined([...rest, ...(plan.closing?.(result) ?? []), { sql: 'COMMIT', parameters: [] }]);
    try {
      await session.run(commit.sql, commit.parameters);
    } catch (error) {
      if (plan.landed && isConnectionLost(error)) doubt.about = { result };
      await rollBack(lease);
      throw rest.length > 0 && isUnclear(error) ? new Unclear() : error;
    }
    return result;
  } finally {
    await lease.release();
  }
}

const beginning = <T>({ opening }: TransactionPlan<T>): Statement =>
  joined([{ sql: 'START TRANSACTION', parameters: [] }, ...(opening ? [opening] : [])]);

async function open<T>(lease: AcquiredConnection, plan: TransactionPlan<T>): Promise<void> {
  const { sql, parameters } = beginning(plan);
  try {
    await lease.session.run(sql, parameters);
  } catch (error) {
    await rollBack(lease);
    throw plan.openingRefused?.(error) ?? error;
  }
}

/**
 * Where ROLLBACK fails, the server rolls back with the connection's end. It must not go back to the pool: the next START
 * TRANSACTION on it would commit what is left open.
 */
async function rollBack({ pipeline, discard }: AcquiredConnection): Promise<void> {
  try {
    await pipeline.rollBack();
  } catch {
    await discard();
  }
}

async function hasLanded<T>(dataSource: DataSource, { landed }: TransactionPlan<T>): Promise<boolean> {
  if (!landed) return false;
  const { session, release } = await acquireConnection(dataSource);
  try {
    return await landed(session);
  } finally {
    await release();
  }
}
