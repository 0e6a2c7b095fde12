import { setTimeout as pause } from 'node:timers/promises';
import { acquireConnection, type AcquiredConnection, type Source } from './connection.js';
import { DatabaseUnavailable, isConflict, isConnectionLost, isDuplicate } from './errors.js';
import type { PipelineFailure } from './pipeline/pipeline.js';
import type { Outcome, Session } from './session.js';
import { joined, type Statement } from './statement.js';

const maxAttempts = 3;

type ReplaceOpening = (opening: Statement) => void;

export interface TransactionPlan<T> {
  /** Sent with START TRANSACTION and the first statement of `work`, in one round trip. */
  opening?: Statement;
  /** The error to throw when `opening` fails with this one; undefined for an error that is unrelated to `opening`. */
  openingRefused?: (error: unknown) => Error | undefined;
  /** The transaction itself. It may run several times, so it does nothing outside the database. */
  work: (session: Session) => Promise<T>;
  /**
   * Statements sent with COMMIT, in one round trip. Called after `work`.
   * @param replaceOpening replaces `opening`, if it has not been sent because `work` sent no statement: then the whole
   *   transaction is one round trip, and the opening statement can store what `work` returned
   */
  closing?: (result: T, replaceOpening: ReplaceOpening | undefined) => readonly Statement[];
  /**
   * Whether this transaction committed. Queried on another connection if the connection was lost during COMMIT. The
   * transaction runs again only if the answer is no. Without this function it always runs again.
   */
  hasCommitted?: (session: Session) => Promise<boolean>;
}

/**
 * Runs a plan in one READ COMMITTED transaction (the level of all sessions).
 *
 * A deadlock, lock time-out, snapshot conflict or lost connection rolls the whole transaction back (by itself, a lock
 * time-out would roll back only one statement) and runs it again, three times at most, after a short random pause.
 *
 * If the connection is lost during COMMIT, it is unknown whether the transaction committed: `hasCommitted` decides.
 * @throws the error of `work`, after ROLLBACK; DatabaseUnavailable if the database remains unreachable
 */
export async function runTransaction<T>(source: Source, plan: TransactionPlan<T>): Promise<T> {
  const state: TransactionState<T> = { combine: true, unconfirmed: undefined };
  for (let attempt = 1; ;) {
    try {
      if (state.unconfirmed && (await hasCommitted(source, plan))) return state.unconfirmed.result;
      return await runOnce(source, plan, state);
    } catch (error) {
      if (error instanceof AmbiguousFailure) {
        state.combine = false;
        continue;
      }
      // The lost COMMIT may have taken effect after `hasCommitted` was queried; then the next run finds its rows.
      if (state.unconfirmed && isDuplicate(error) && (await hasCommitted(source, plan)))
        return state.unconfirmed.result;
      // It has waited long enough for a connection already.
      if (error instanceof DatabaseUnavailable) throw error;
      const isLost = isConnectionLost(error);
      if (!isLost && !isConflict(error)) throw error;
      if (attempt === maxAttempts) {
        throw isLost ? new DatabaseUnavailable('The database connection was lost.', { cause: error }) : error;
      }
      await pause(attempt * 10 + Math.random() * 40);
      attempt += 1;
    }
  }
}

/**
 * Runs statements in one transaction and one round trip.
 * @returns the outcome of each
 * @throws the error of the statement that failed: none of them is committed, unless the connection was lost
 */
export async function commitStatements(source: Source, statements: readonly Statement[]): Promise<Outcome[]> {
  const connection = await acquireConnection(source, 'write');
  const { session, pipeline } = connection;
  try {
    pipeline.begin({ opening: undefined, combine: true });
    const answers = await session.batch(joined([...statements, { sql: 'COMMIT', parameters: [] }]));
    return answers.slice(0, -1).map((answer) => (Array.isArray(answer) ? noRows : answer));
  } catch (error) {
    await rollBack(connection);
    throw error;
  } finally {
    await connection.release();
  }
}

const noRows: Outcome = { affectedRows: 0, insertId: 0 };

/** The state that one run of a plan passes to the next. */
interface TransactionState<T> {
  /** Combine statements into one message. False after an ambiguous failure. */
  combine: boolean;
  /** The result of a run whose COMMIT was not answered. */
  unconfirmed: { result: T } | undefined;
}

/**
 * One statement of a combined message was refused, and the server does not report which: run again with one statement
 * per message.
 */
class AmbiguousFailure extends Error {}

async function runOnce<T>(source: Source, plan: TransactionPlan<T>, state: TransactionState<T>): Promise<T> {
  const connection = await acquireConnection(source, 'write');
  const { session, pipeline } = connection;
  try {
    pipeline.begin({ opening: plan.opening, combine: state.combine });
    const result = await runWork(plan, connection, state);
    const replaceOpening = (opening: Statement): void => pipeline.begin({ opening, combine: state.combine });
    const closing = plan.closing?.(result, pipeline.isOpeningPending() ? replaceOpening : undefined) ?? [];
    const statement = joined([...closing, { sql: 'COMMIT', parameters: [] }]);
    try {
      await session.run(statement);
    } catch (error) {
      if (plan.hasCommitted && isConnectionLost(error)) state.unconfirmed = { result };
      throw error;
    }
    return result;
  } catch (error) {
    await rollBack(connection);
    const failure = pipeline.failure();
    throw failure ? errorOf(failure, plan) : error;
  } finally {
    await connection.release();
  }
}

/**
 * A refused opening statement takes precedence over any other error, even if `work` failed before it sent a statement.
 * If `work` succeeded without sending one, the opening statement is sent with the closing ones.
 */
async function runWork<T>(
  plan: TransactionPlan<T>,
  { session, pipeline }: AcquiredConnection,
  { combine }: TransactionState<T>,
): Promise<T> {
  try {
    const result = await plan.work(session);
    if (!combine) await pipeline.sendOpening();
    return result;
  } catch (error) {
    await pipeline.sendOpening();
    throw error;
  }
}

/** What a failure means for the transaction, no matter how `work` handled the error. */
function errorOf<T>({ error, withOpening, combined }: PipelineFailure, plan: TransactionPlan<T>): unknown {
  const refused = withOpening ? plan.openingRefused?.(error) : undefined;
  if (!combined) return refused ?? error;
  const isStatementError = !isConflict(error) && !isConnectionLost(error);
  return refused || isStatementError ? new AmbiguousFailure() : error;
}

/**
 * If ROLLBACK fails, the connection is closed, and the server rolls back: START TRANSACTION on it would commit the open
 * transaction.
 */
async function rollBack({ pipeline, discard }: AcquiredConnection): Promise<void> {
  try {
    await pipeline.rollBack();
  } catch {
    await discard();
  }
}

async function hasCommitted<T>(source: Source, plan: TransactionPlan<T>): Promise<boolean> {
  if (!plan.hasCommitted) return false;
  const { session, release } = await acquireConnection(source, 'read');
  try {
    return await plan.hasCommitted(session);
  } finally {
    await release();
  }
}
