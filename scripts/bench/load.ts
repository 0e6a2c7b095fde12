import { Pool } from 'undici';
import type { Round } from './bench.js';

/** Concurrent requests or transactions of a side. */
export const inFlight = 32;

const at = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** The time that this share of calls did not exceed. */
export const percentile = (times: readonly number[], share: number): number =>
  at(Float64Array.from(times).sort(), share);

/** Keeps `inFlight` tasks running for `ms` milliseconds: each starts as soon as another has ended. */
export async function drive(ms: number, task: () => Promise<void>): Promise<Round> {
  const took: number[] = [];
  const began = performance.now();
  const until = began + ms;
  const lane = async (): Promise<void> => {
    for (let now = performance.now(); now < until;) {
      await task();
      const then = performance.now();
      took.push(then - now);
      now = then;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const seconds = (performance.now() - began) / 1000;
  const sorted = Float64Array.from(took).sort();
  return { count: took.length, perSecond: took.length / seconds, p50: at(sorted, 0.5), p99: at(sorted, 0.99) };
}

/** Posts JSON to one address over `inFlight` keep-alive connections, one request at a time on each. */
export interface Poster {
  /** @throws with the answer's text if it is not 200 */
  post(headers: Record<string, string>, body: string): Promise<void>;
  close(): Promise<void>;
}

export function posterTo(address: string, path: string): Poster {
  const { send, close } = clientOf(address, path, false);
  return { close, post: (headers, body) => send(headers, body).then(() => undefined) };
}

/** The same for GET. */
interface Getter {
  /** @throws with the answer's text if it is not 200 */
  get(headers: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

export function getterTo(address: string, path: string): Getter {
  const { send, close } = clientOf(address, path, false);
  return { close, get: (headers) => send(headers, null).then(() => undefined) };
}

/** The same for calls whose answers matter. */
interface Replier {
  /** @returns the parsed answer @throws with the answer's text if it is not 200 */
  reply(headers: Record<string, string>, body: string): Promise<unknown>;
  close(): Promise<void>;
}

export function replierTo(address: string, path: string): Replier {
  const { send, close } = clientOf(address, path, true);
  return {
    close,
    async reply(headers, body) {
      const answer: unknown = JSON.parse(await send(headers, body));
      return answer;
    },
  };
}

function clientOf(
  address: string,
  path: string,
  keepsAnswers: boolean,
): { send(headers: Record<string, string>, body: string | null): Promise<string>; close(): Promise<void> } {
  const pool = new Pool(address, { connections: inFlight, pipelining: 1 });
  // dispatch instead of request: it creates no streams, and the client uses the same cores as the measured server.
  const send = (headers: Record<string, string>, body: string | null): Promise<string> =>
    new Promise((resolve, reject) => {
      let status = 0;
      let text = '';
      pool.dispatch(
        body === null
          ? { path, method: 'GET', headers }
          : { path, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_, code) => void (status = code),
          onResponseData: (_, chunk) => void (text += status === 200 && !keepsAnswers ? '' : chunk.toString()),
          onResponseEnd: () =>
            status === 200 ? resolve(text) : reject(new Error(`${path} answered ${status}: ${text}`)),
          onResponseError: (_, error) => reject(error),
        },
      );
    });
  return { send, close: () => pool.close() };
}

/** Returns the first `count` of `all` in turn, so that all of them are used equally. */
export function inTurn<T>(all: readonly T[], count: number): () => T {
  const some = all.slice(0, Math.max(1, count));
  let next = 0;
  return () => {
    const found = some[next++ % some.length];
    if (found === undefined) throw new Error('The list is empty.');
    return found;
  };
}
