import type { Message, Request, RequestedStatement } from './message.js';
import { joined, valueCount, type Statement } from '../statement.js';

/** How a transaction begins. */
export interface BeginOptions {
  /** Sent with START TRANSACTION. */
  readonly opening: Statement | undefined;
  /** False: one statement per message, so that every error belongs to one statement. */
  readonly combine: boolean;
}

/**
 * The statements of one connection that have not been sent, in order. It decides what the next message contains: see
 * pipeline.ts.
 */
export interface StatementQueue {
  /** Begins a transaction with the next message. */
  begin(options: BeginOptions): void;
  /** Whether START TRANSACTION is still to be sent. */
  isBeginPending(): boolean;
  /** The same, if an opening statement will be sent with it. */
  isOpeningPending(): boolean;
  isEmpty(): boolean;
  /** Queues a statement that somebody waits for. */
  add(statement: Statement, request: Request): void;
  /**
   * Queues a statement that nobody waits for. @returns false if it must not wait for the next message; then nothing is
   * queued
   */
  defer(statement: Statement): boolean;
  /** Removes and returns the next message; undefined if only deferred statements remain to be sent. */
  next(): Message | undefined;
  /** Removes and returns START TRANSACTION with the opening statement; undefined if there is none, or it was sent. */
  takeOpening(): Message | undefined;
  /** Drops everything, and rejects all waiting callers. */
  reject(error: unknown): void;
}

/** A statement to send; a deferred one has no request. */
interface Queued {
  readonly statement: Statement;
  readonly request?: Request;
}

/**
 * The number of values of the queued statements up to which another statement is deferred, so that a message usually
 * stays far below the server's limit (16 MiB).
 */
const maxDeferredValues = 12_000;
const maxReadsPerMessage = 50;
const startTransaction: Statement = { sql: 'START TRANSACTION', parameters: [] };

export function createStatementQueue(): StatementQueue {
  const queue: Queued[] = [];
  let begin: { statement: Statement; withOpening: boolean } | undefined;
  let combine = true;

  const message = (deferred: readonly Statement[], requested: readonly RequestedStatement[]): Message => {
    const taken = begin;
    begin = undefined;
    return { begin: taken?.statement, withOpening: taken?.withOpening === true, deferred, requested };
  };

  const takeDeferred = (): Statement[] => {
    const end = queue.findIndex(({ request }) => request !== undefined);
    return queue.splice(0, end).map(({ statement }) => statement);
  };

  /** Takes the reads that follow, or one other statement. */
  const takeRequested = (): RequestedStatement[] => {
    const taken: RequestedStatement[] = [];
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

  return {
    begin(options) {
      combine = options.combine;
      begin = options.opening
        ? { statement: joined([startTransaction, options.opening]), withOpening: true }
        : { statement: startTransaction, withOpening: false };
    },
    isBeginPending: () => begin !== undefined,
    isOpeningPending: () => begin?.withOpening === true,
    isEmpty: () => queue.length === 0,
    add(statement, request) {
      queue.push({ statement, request });
    },
    defer(statement) {
      const values = queue.reduce((sum, queued) => sum + valueCount(queued.statement), valueCount(statement));
      if (!combine || values > maxDeferredValues) return false;
      queue.push({ statement });
      return true;
    },
    next() {
      if (!queue.some(({ request }) => request !== undefined)) return undefined;
      if (begin?.withOpening === true && !combine) return message([], []);
      return message(takeDeferred(), takeRequested());
    },
    takeOpening: () => (begin?.withOpening === true ? message([], []) : undefined),
    reject(error) {
      for (const { request } of queue.splice(0)) request?.reject(error);
    },
  };
}
