import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher, Pool } from 'undici';
import { refusalOf } from '#core/kernel/errors/common.js';
import { causeOf } from '../cause.js';
import type { Log } from '#core/runtime/log.js';

/** Calls of this process that a shard may be answering at the same time, and how many of them for one client. */
const mostCalls = 1_024;
const mostCallsOfClient = 512;
const connectMs = 2_000;
/** Longer than any operation takes. A shard that hangs is noticed much sooner, by the probe. */
const answerMs = 120_000;
/** How long a call waits before the shard is asked whether it is alive, and how long that may take. */
const probeAfterMs = 2_000;
const probeMs = 2_000;

interface PassedCall {
  method: string;
  /** Path and query. */
  path: string;
  headers: Readonly<Record<string, string | string[]>>;
  body: Readable | Buffer | null;
  /** The client, as limits count it. */
  client: string;
  /** Aborted when the client disconnects. */
  gone: AbortSignal;
}

/** Another shard, as this process reaches it. */
export interface ShardPeer {
  /**
   * Sends a call and hands its answer to `use` as soon as the headers have arrived. The call ends when `use` has read
   * the body.
   * @throws unavailable if the shard cannot be reached, does not answer, or too many calls wait for it
   */
  call(call: PassedCall, use: (answer: Dispatcher.ResponseData) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to another shard. The number of calls that wait for a shard is limited, so that one that is down or hangs
 * does not use up what calls to other shards need. If it does not answer a probe, all calls that wait for it end
 * immediately.
 * @param address such as http://10.0.0.2:8080
 */
export function createShardPeer(shard: number, address: string, log: Log): ShardPeer {
  const refused = (problem: string): Error => refusalOf.unavailable({ problem: `shard ${shard} ${problem}` });
  /** The calls that have not ended, and when they began. */
  const calls = new Map<AbortController, number>();
  const byClient = new Map<string, number>();
  let pool: Promise<Pool> | undefined;
  let isSilent = false;
  let isWatched = false;
  let isClosed = false;

  // Loaded with the first call: undici takes 9 MiB of memory.
  const connected = (): Promise<Pool> =>
    (pool ??= import('undici').then(
      (undici) =>
        new undici.Pool(address, {
          connections: mostCalls,
          pipelining: 1,
          connect: { timeout: connectMs },
          headersTimeout: answerMs,
          bodyTimeout: answerMs,
        }),
    ));

  async function isAlive(): Promise<boolean> {
    try {
      const { request } = await import('undici');
      // On a separate connection: all others may be in use by calls that wait.
      const answer = await request(`${address}/healthz`, { signal: AbortSignal.timeout(probeMs), reset: true });
      await answer.body.dump();
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  }

  /** Probes the shard while a call has waited for 2 s or more, and, after a probe has failed, until one succeeds. */
  async function watch(): Promise<void> {
    if (isWatched) return;
    isWatched = true;
    while (!isClosed && (isSilent || calls.size > 0)) {
      await pause(probeAfterMs / 2, undefined, { ref: false });
      const [oldest = Infinity] = calls.values();
      if (!isSilent && performance.now() - oldest < probeAfterMs) continue;
      note(!(await isAlive()));
    }
    isWatched = false;
  }

  function note(silent: boolean): void {
    if (silent !== isSilent) log.warn({ shard, address }, silent ? 'a shard does not answer' : 'a shard answers again');
    isSilent = silent;
    if (silent) for (const call of calls.keys()) call.abort();
  }

  return {
    async call({ client, gone, ...call }, use) {
      if (isSilent) throw refused('does not answer');
      const own = byClient.get(client) ?? 0;
      if (calls.size >= mostCalls || own >= mostCallsOfClient) throw refused('has too many calls waiting for it');
      const ended = new AbortController();
      const leave = (): void => ended.abort();
      gone.addEventListener('abort', leave);
      calls.set(ended, performance.now());
      byClient.set(client, own + 1);
      void watch();
      try {
        const connection = await connected();
        const answer = await connection.request({ ...call, signal: ended.signal }).catch((error: unknown) => {
          if (!gone.aborted) log.info({ shard, address, cause: causeOf(error) }, 'a call could not be passed on');
          throw refused('does not answer');
        });
        await use(answer);
      } finally {
        gone.removeEventListener('abort', leave);
        calls.delete(ended);
        const rest = (byClient.get(client) ?? 1) - 1;
        if (rest === 0) byClient.delete(client);
        else byClient.set(client, rest);
      }
    },
    async close() {
      isClosed = true;
      await (await pool)?.destroy();
    },
  };
}
