import type { Dispatcher } from 'undici';
import { describeFailure, timedOut, type HttpFailure } from './failure.js';
import type { Gate } from './gate.js';

/** The outcome of a request. */
export type HttpAnswer =
  | {
      ok: true;
      status: number;
      /** Names in lower case; the values of a repeated header joined with a comma (RFC 9110 section 5.2). */
      headers: Record<string, string>;
      body: Buffer;
      /** Whether the body was longer than `maxResponseBytes`, or did not end (`endsAtHead`). */
      truncated: boolean;
      durationMs: number;
    }
  | { ok: false; error: HttpFailure; durationMs: number };

/** A validated request. */
export interface Exchange {
  origin: string;
  path: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body: Buffer | string | null;
  timeoutMs: number;
  maxResponseBytes: number;
  /** See HttpRequest. */
  endsAtHead: boolean;
  /** When it started, by performance.now(). */
  startedAt: number;
  /** It is not sent later, by performance.now(). */
  startBy: number;
}

/** The request was not sent. */
const startedLate: HttpFailure = { kind: 'connect', message: 'No connection was ready in time.' };

/** Passed to undici when a connection is aborted. Nobody sees it, because the answer was already returned. */
const settledEarly = new Error('The answer was returned before the exchange ended.');

/**
 * Sends a request and reads its answer through undici's dispatch interface, which can be aborted at any time and costs
 * half as much as `request`. The gate is left when undici has finished, which may be after the deadline while it still
 * connects, so that the gate counts sockets and not callers.
 *
 * @param agent opens connections
 * @param gate limits the connections to an origin
 * @param exchange the request
 * @returns the answer; never rejects: a failure is an answer too
 */
export function send(agent: Dispatcher, gate: Gate, exchange: Exchange): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const { origin, path, method, headers, body, maxResponseBytes, endsAtHead } = exchange;
    let settled = false;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let received: Record<string, string> = {};
    const chunks: Buffer[] = [];
    let size = 0;

    const settle = (answer: HttpAnswer): void => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      resolve(answer);
    };
    const durationMs = (): number => Math.round(performance.now() - exchange.startedAt);
    const succeed = (truncated: boolean): void =>
      settle({ ok: true, status, headers: received, body: Buffer.concat(chunks), truncated, durationMs: durationMs() });
    const fail = (error: HttpFailure): void => {
      if (endsAtHead && status !== 0) succeed(true);
      else settle({ ok: false, error, durationMs: durationMs() });
    };
    // In a microtask: after failing its requests, undici asserts that its queue is empty, so the next request must not
    // start yet.
    const leave = (): void => queueMicrotask(() => gate.leave(origin));

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (current) => {
        // After a process was suspended, a connection may be ready before the timer of the deadline fires.
        if (!settled && performance.now() > exchange.startBy) fail(startedLate);
        else controller = current;
        if (settled) current.abort(settledEarly);
      },
      onResponseStart: (_, statusCode, incoming) => {
        // 1xx responses precede the final one (RFC 9110 section 15.2).
        if (statusCode < 200) return;
        status = statusCode;
        received = flatten(incoming);
      },
      onResponseData: (current, chunk) => {
        const room = maxResponseBytes - size;
        size += chunk.length;
        chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
        if (chunk.length <= room) return;
        succeed(true);
        current.abort(settledEarly);
      },
      onResponseEnd: () => {
        succeed(false);
        leave();
      },
      onResponseError: (_, error) => {
        fail(describeFailure(error, controller !== undefined));
        leave();
      },
    };
    const start = (): void => {
      agent.dispatch({ origin, path, method, headers, body }, handler);
    };
    const deadline = setTimeout(() => {
      fail(timedOut);
      if (!gate.giveUp(origin, start)) controller?.abort(settledEarly);
    }, exchange.timeoutMs);
    gate.enter(origin, start);
  });
}

function flatten(incoming: Record<string, string | string[] | undefined>): Record<string, string> {
  // fromEntries defines its keys, so that a header named __proto__ is a normal key.
  return Object.fromEntries(
    Object.entries(incoming).map(([name, value = '']) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
}
