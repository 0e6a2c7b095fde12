import { isConnectionLost, isDeadlock } from '../errors.js';
import { sendMessage, statementCount, type Message } from './message.js';
import { createStatementQueue, type BeginOptions } from './queue.js';
import { send, type RawConnection } from '../raw-connection.js';
import type { PreparedValue } from '../session.js';
import { isEmpty, type Statement } from '../statement.js';

/*
 * Sends the statements of one connection in the order of the calls, in as few round trips as possible.
 *
 * One message to the server is in flight at a time. The next message contains, in this order:
 *   1. START TRANSACTION and the transaction's opening statement, if they have not been sent,
 *   2. deferred statements,
 *   3. all reads that follow in the queue, or one other statement.
 * So START TRANSACTION and deferred writes cost no extra round trip, and reads started together (`Promise.all`) share
 * one.
 *
 * The server runs the statements of a message in order and stops at the first that fails, but its error does not state
 * which one that was. Code that handles the error of its own statement would be misled. So in a transaction nothing
 * more is sent after such a failure (see `failure`), and runTransaction runs the transaction again with one statement
 * per message.
 *
 *   pipeline.ts  when a message is sent, and what its failure means for the transaction
 *   queue.ts     unsent statements, and the content of the next message
 *   message.ts   one round trip: the text of a message, and the owner of each answer
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
  /** A read that is sent as a prepared statement if it is the only one in its message. @returns its rows */
  readPrepared(sql: string, parameters: readonly PreparedValue[]): Promise<unknown>;
  /** Any other statement, or several in one text. @returns the answer; an array of answers for several statements */
  write(statement: Statement): Promise<unknown>;
  /**
   * In a transaction, sends a statement with the next one or with COMMIT; otherwise immediately. An empty statement is
   * not sent.
   */
  defer(statement: Statement): Promise<void>;
  /** Begins a transaction with the next message. Until then, another call replaces the opening statement. */
  begin(options: BeginOptions): void;
  /** Whether the transaction has an opening statement that has not been sent. */
  isOpeningPending(): boolean;
  /**
   * Sends the opening statement by itself if no other statement has taken it along. @throws the error of its message
   */
  sendOpening(): Promise<void>;
  failure(): PipelineFailure | undefined;
  /** Drops unsent statements, waits for sent ones, rolls back, and refuses everything afterwards. */
  rollBack(): Promise<void>;
  /** Drops unsent statements, and refuses everything afterwards. */
  close(): void;
}

const closedError = (): Error =>
  new Error('This database session is over: its transaction has ended, or its connection is back in the pool.');

/**
 * @param connect provides the connection: called for the first message, and again if that failed
 * @param onError called with the error of each message that failed
 */
export function createPipeline(
  connect: () => Promise<RawConnection>,
  onError: (error: unknown) => void = () => undefined,
): Pipeline {
  const queue = createStatementQueue();
  let connection: RawConnection | undefined;
  let inTransaction = false;
  /** The message that has been sent and not answered. */
  let inFlight: Promise<void> | undefined;
  /** Whether `sendNext` runs at the end of this turn. */
  let isScheduled = false;
  let failure: PipelineFailure | undefined;
  let isClosed = false;

  const transmit = async (message: Message): Promise<void> => {
    connection ??= await connect();
    await sendMessage(connection, message);
  };

  const failed = (message: Message, error: unknown): void => {
    onError(error);
    const { withOpening, requested } = message;
    const combined = statementCount(message) > 1;
    // After a deadlock the server's transaction is gone: it would commit each later statement by itself.
    const hasEnded = isDeadlock(error) || isConnectionLost(error);
    // The error of a single statement goes to its caller, which may handle it and continue.
    const isHandled = requested.length > 0 && !combined && !hasEnded;
    if (inTransaction && !isHandled) failure ??= { error, withOpening, combined };
    for (const { request } of requested) request.reject(error);
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
    isScheduled = false;
    if (inFlight) return;
    if (failure) queue.reject(failure.error);
    const message = queue.next();
    if (message) start(message);
  };

  const enqueue = (statement: Statement, isRead: boolean, prepared?: readonly PreparedValue[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (failure) throw failure.error;
      if (isClosed) throw closedError();
      queue.add(statement, { resolve, reject, isRead, prepared });
      if (inFlight || isScheduled) return;
      isScheduled = true;
      // After the current turn, so that statements that are queued together are seen together.
      process.nextTick(sendNext);
    });

  const close = (): void => {
    isClosed = true;
    // The stack of an error takes time to create, so create it only if somebody receives the error.
    if (!queue.isEmpty()) queue.reject(closedError());
  };

  return {
    // A text of several statements has several answers: it is sent on its own.
    read: (statement) => enqueue(statement, !statement.sql.includes(';')),
    readPrepared: (sql, parameters) => enqueue({ sql, parameters }, true, parameters),
    write: (statement) => enqueue(statement, false),
    async defer(statement) {
      if (isEmpty(statement)) return;
      const mayWait = inTransaction && !isClosed && !failure;
      if (!mayWait || !queue.defer(statement)) await enqueue(statement, false);
    },
    begin(options) {
      inTransaction = true;
      queue.begin(options);
    },
    isOpeningPending: queue.isOpeningPending,
    async sendOpening() {
      const opening = queue.takeOpening();
      if (!opening) return;
      start(opening);
      await inFlight;
      if (failure) throw failure.error;
    },
    failure: () => failure,
    async rollBack() {
      const hasBegun = !queue.isBeginPending();
      close();
      await inFlight;
      if (connection && hasBegun) await send(connection, { sql: 'ROLLBACK', parameters: [] });
    },
    close,
  };
}
