import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.js';
import type { Running } from './launch.js';
import { stopServer } from './control.js';
import { fullDisk } from './disk.js';
import { rotateLog } from './rotate-log.js';
import { startOn, type StartOptions } from './start.js';

/** A server that is restarted whenever it ends, until it is stopped. */
interface Supervised {
  current(): Running;
  stop(): Promise<void>;
}

/** How often the length of the server's log is looked at. */
const logMs = 60_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Restarts the server whenever it ends by itself, on the same port, so that connection pools can reconnect.
 */
export function supervise(options: StartOptions, first: Running, log: Pick<Log, 'info' | 'warn'>): Supervised {
  const abort = new AbortController();
  const { signal } = abort;
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const stopping = (): boolean => signal.aborted;
  let server = first;

  const restart = async (): Promise<void> => {
    for (let waitMs = 100; !stopping(); waitMs = Math.min(waitMs * 2, 5_000)) {
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      if (stopping()) return;
      try {
        server = await startOn(options, first.port, signal);
        log.info({ pid: server.pid, port: server.port }, 'The private database server is running again.');
        return;
      } catch (error) {
        if (!stopping()) log.warn({ reason: messageOf(error) }, 'The private database server did not start.');
      }
    }
  };

  const logTimer = setInterval(() => void rotateLog(options.layout.log).catch(() => undefined), logMs).unref();

  const watchOver = async (): Promise<void> => {
    while (!stopping()) {
      const reason = await Promise.race([server.ended, aborted]);
      if (stopping()) break;
      const full = await fullDisk(options.layout.root);
      log.warn(
        { pid: server.pid, reason },
        `The private database server ended unexpectedly; restarting it.${full === undefined ? '' : ` ${full}`}`,
      );
      await restart();
    }
    clearInterval(logTimer);
    await stopServer(server);
  };

  const done = watchOver();
  return {
    current: () => server,
    stop: () => {
      abort.abort();
      return done;
    },
  };
}
