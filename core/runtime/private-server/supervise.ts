import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.js';
import type { Running } from './launch.js';
import { end } from './ready.js';
import { startOn, type Recipe } from './start.js';

/** A server that is kept alive until it is told to stop. */
export interface Supervised {
  current(): Running;
  stop(): Promise<void>;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Starts the server again, on the same port, whenever it ends by itself: connection pools then find it where it was.
 */
export function supervise(recipe: Recipe, first: Running, log: Pick<Log, 'info' | 'warn'>): Supervised {
  const halt = new AbortController();
  const { signal } = halt;
  const halted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const stopping = (): boolean => signal.aborted;
  let server = first;

  const revive = async (): Promise<void> => {
    for (let waitMs = 100; !stopping(); waitMs = Math.min(waitMs * 2, 5_000)) {
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      if (stopping()) return;
      try {
        server = await startOn(recipe, first.port, signal);
        log.info({ pid: server.pid, port: server.port }, 'The private database server runs again.');
        return;
      } catch (error) {
        if (!stopping()) log.warn({ reason: messageOf(error) }, 'The private database server did not start.');
      }
    }
  };

  const watchOver = async (): Promise<void> => {
    while (!stopping()) {
      const how = await Promise.race([server.ended, halted]);
      if (stopping()) break;
      log.warn({ pid: server.pid, how }, 'The private database server ended by itself; starting it again.');
      await revive();
    }
    await end(server);
  };

  const done = watchOver();
  return {
    current: () => server,
    stop: () => {
      halt.abort();
      return done;
    },
  };
}
