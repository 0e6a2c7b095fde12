import { isConnectionLost, isDeadlock } from './errors.js';
import { send, sendPrepared, type RawConnection } from './raw-connection.js';
import type { PreparedValue } from './session.js';
import { countIn, joined, type Statement } from './statement.js';

/*
 * Sends the statements of one connection in the order in which they were asked for, in as few round trips as possible.
 *
 * One message to the server is in flight at a time. The next message holds, in this order:
 *   1. START TRANSACTION and the transaction's opening statement, if they were not sent yet,
 *   2. deferred statements,
 *   3. all reads that follow in the queue, or one other statement.
 * So START TRANSACTION and deferred writes cost no round trip of their own, and reads asked for together (`Promise.all`) share one.
 *
 * The server runs the statements of a message in order and stops at the first that fails, but its error does not say which one that
 * was. Code that handles the error of its own statement would be misled. So in a transaction such a failure lets nothing more through
 * (see `failure`), and runTransaction runs the transaction again with one statement per message.
 */

/** Why nothing more may be sent in this transaction. */
export interface PipelineFailure {
  readonly error: unknown;
  /** The opening statement was part of the message that failed. */
  readonly withOpening: boolean;
  /** The message held several statements, and any of them may be the one that failed. */
  readonly combined: boolean;
}

export interface Pipeline {
  /** A read: it may share a message with other reads. @returns its rows */
  read(statement: Statement): Promise<unknown>;
  /** A read that is sent as a prepared statement where it is alone in its message. @returns its rows */
  readPrepared(sql: string, parameters: readonly PreparedValue[]): Promise<unknown>;
  /** Any other statement, or several in one text. @returns the answer; an array of answers for several statements */
  write(statement: Statement): Promise<unknown>;
  /** In a transaction, sends a statement with the next one or with COMMIT; elsewhere at once. */
  defer(statement: Statement): Promise<void>;
  /**
   * Begins a transaction with the next message.
   * @param options.opening sent with START TRANSACTION
   * @param options.combine false: one statement per message, so that every error is that of one statement
   */
  begin(options: { opening: Statement | undefined; combine: boolean }): void;
  /** Sends the opening statement by itself if no other statement has taken it along. @throws the error of its message */
  sendOpening(): Promise<void>;
  failure(): PipelineFailure | undefined;
  /** Drops what was not sent, waits for what was, rolls back, and refuses everything from then on. */
  rollBack(): Promise<void>;
  /** Drops what was not sent, and refuses everything from then on. */
  close(): void;
}

interface Request {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly isRead: boolean;
  readonly prepared: readonly PreparedValue[] | undefined;
}

/** A statement to send; a deferred one has no request. */
interface Queued {
  readonly statement: Statement;
  readonly request?: Request;
}

interface Message {
  readonly begins: Statement | undefined;
  readonly withOpening: boolean;
  readonly deferred: readonly Statement[];
  readonly asked: readonly { statement: Statement; request: Request }[];
}

/** Values of deferred statements, at most: a message must stay far below what the server takes (16 MiB). */
const maxDeferredValues = 12_000;
const maxReadsPerMessage = 50;
const over = 'This database session is over: its transaction has ended, or its connection is back in the pool.';

/**
 * @param connect gives the connection: called for the first message, and again where that failed
 * @param onError called with the error of each message that failed
 */
export function createPipeline(
  connect: () => Promise<RawConnection>,
  onError: (error: unknown) => void = () => undefined,
): Pipeline {
  const queue: Queued[] = [];
  let connection: RawConnection | undefined;
  let inTransaction = false;
  let combine = true;
  let begin: { statement: Statement; withOpening: boolean } | undefined;
  let inFlight: Promise<void> | undefined;
  let scheduled = false;
  let failure: PipelineFailure | undefined;
  let isOver = false;

  const takeBegin = (): Pick<Message, 'begins' | 'withOpening'> => {
    const taken = begin;
    begin = undefined;
    return { begins: taken?.statement, withOpening: taken?.withOpening === true };
  };

  const takeDeferred = (): Statement[] => {
    const end = queue.findIndex(({ request }) => request !== undefined);
    return queue.splice(0, end).map(({ statement }) => statement);
  };

  const takeAsked = (): Message['asked'] => {
    const taken: { statement: Statement; request: Request }[] = [];
    const max = combine ? maxReadsPerMessage : 1;
    while (taken.length < max) {
      const [next] = queue;
      if (!next?.request || (taken.length > 0 && !next.request.isRead)) break;
      taken.push({ statement: next.statement, request: next.request });
      queue.shift();
      if (!next.request.isRead) break;
    }
    return taken;
  };

  /** The next message; undefined while there is nothing to send but deferred statements. */
  const takeMessage = (): Message | undefined => {
    if (!queue.some(({ request }) => request !== undefined)) return undefined;
    if (begin?.withOpening === true && !combine) return { ...takeBegin(), deferred: [], asked: [] };
    return { ...takeBegin(), deferred: takeDeferred(), asked: takeAsked() };
  };

  const transmit = async ({ begins, deferred, asked }: Message): Promise<void> => {
    connection ??= await connect();
    const [only] = asked;
    const before = [...(begins ? [begins] : []), ...deferred];
    if (before.length === 0 && only && asked.length === 1) {
      const { statement, request } = only;
      request.resolve(
        await (request.prepared
          ? sendPrepared(connection, statement.sql, request.prepared)
          : send(connection, statement.sql, statement.parameters)),
      );
      return;
    }
    const { sql, parameters } = joined([...before, ...asked.map(({ statement }) => statement)]);
    const answers = await send(connection, sql, parameters);
    if (!only) return;
    const own: unknown[] = Array.isArray(answers)
      ? answers.slice(before.length === 0 ? 0 : countIn(joined(before)))
      : [];
    // Reads have one answer each; any other request is alone in its message and takes what there is.
    if (only.request.isRead) asked.forEach(({ request }, index) => request.resolve(own[index]));
    else only.request.resolve(own.length === 1 ? own[0] : own);
  };

  const failed = ({ withOpening, deferred, asked }: Message, error: unknown): void => {
    onError(error);
    const statements = (withOpening ? 1 : 0) + deferred.length + asked.length;
    // After a deadlock the server has no transaction any more: it would commit each further statement by itself.
    const hasEnded = isDeadlock(error) || isConnectionLost(error);
    // The error of a single statement is for those who asked for it; they may handle it and go on.
    if (inTransaction && (hasEnded || statements > 1 || asked.length === 0))
      failure ??= { error, withOpening, combined: statements > 1 };
    for (const { request } of asked) request.reject(error);
  };

  const refuseQueued = (error: unknown): void => {
    for (const { request } of queue.splice(0)) request?.reject(error);
  };

  const start = (message: Message): void => {
    inFlight = transmit(message)
      .catch((error: unknown) => failed(message, error))
      .then(() => {
        inFlight = undefined;
        sendNext();
      });
  };

  const sendNext = (): void => {
    scheduled = false;
    if (inFlight) return;
    if (failure) refuseQueued(failure.error);
    const message = takeMessage();
    if (message) start(message);
  };

  const enqueue = (statement: Statement, isRead: boolean, prepared?: readonly PreparedValue[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (failure) throw failure.error;
      if (isOver) throw new Error(over);
      queue.push({ statement, request: { resolve, reject, isRead, prepared } });
      if (inFlight || scheduled) return;
      scheduled = true;
      // After the current turn, so that what is asked for together is seen together.
      process.nextTick(sendNext);
    });

  const end = (): void => {
    isOver = true;
    if (queue.length > 0) refuseQueued(new Error(over));
  };

  return {
    // A text of several statements has several answers: it goes alone.
    read: (statement) => enqueue(statement, !statement.sql.includes(';')),
    readPrepared: (sql, parameters) => enqueue({ sql, parameters }, true, parameters),
    write: (statement) => enqueue(statement, false),
    async defer(statement) {
      const values = queue.reduce(
        (sum, { statement: { parameters } }) => sum + parameters.length,
        statement.parameters.length,
      );
      if (!inTransaction || !combine || isOver || failure || values > maxDeferredValues)
        await enqueue(statement, false);
      else queue.push({ statement });
    },
    begin(options) {
      inTransaction = true;
      combine = options.combine;
      const start = { sql: 'START TRANSACTION', parameters: [] };
      begin = options.opening
        ? { statement: joined([start, options.opening]), withOpening: true }
        : { statement: start, withOpening: false };
    },
    async sendOpening() {
      if (begin?.withOpening !== true) return;
      start({ ...takeBegin(), deferred: [], asked: [] });
      await inFlight;
      if (failure) throw failure.error;
    },
    failure: () => failure,
    async rollBack() {
      const nothingSent = begin !== undefined;
      end();
      await inFlight;
      if (connection && !nothingSent) await send(connection, 'ROLLBACK');
    },
    close: end,
  };
}
