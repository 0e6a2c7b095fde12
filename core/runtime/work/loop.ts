import type { Log } from '../log.js';
import { createSleeper } from './sleeper.js';

interface Loop {
  /** Starts a poll now, or after the current one. */
  wake(): void;
  /** Resolves when a poll that began after this call found nothing and nothing is running. */
  idle(): Promise<void>;
  /** Stops polling. Resolves when the last poll has ended. */
  stop(): Promise<void>;
}

interface LoopOptions {
  name: string;
  log: Log;
  /** The interval between polls, in milliseconds. When absent, the loop polls only when woken. */
  pollMs?: number;
  /** Looks for due work and starts it. @returns whether anything was due */
  poll: () => Promise<boolean>;
  /** Whether work that an earlier poll started is still running. */
  isBusy?: () => boolean;
}

/** The first failed poll is retried soon, because the work it was woken for is still due; later retries wait longer. */
const [firstRetryMs, retryMs] = [25, 250];

/** While polls keep failing, as without a database, one in this many is logged: about one a minute. */
const loggedFailures = 60_000 / retryMs;

/**
 * Polls for work: immediately when woken, and every `pollMs`. A failed poll is retried, and logged if the one before it
 * had not failed.
 */
export function startLoop({ name, log, pollMs = Infinity, poll, isBusy = () => false }: LoopOptions): Loop {
  const sleeper = createSleeper(pollMs);
  let stopping = false;
  let idlers: (() => void)[] = [];
  let failures = 0;

  const run = async (): Promise<void> => {
    while (!stopping) {
      sleeper.begin();
      const waitingBefore = idlers;
      try {
        const found = await poll();
        failures = 0;
        if (!found && !isBusy()) {
          waitingBefore.forEach((resolve) => resolve());
          idlers = idlers.filter((each) => !waitingBefore.includes(each));
        }
      } catch (error) {
        failures += 1;
        if (failures % loggedFailures === 1) log.warn({ err: error, queue: name, failures }, 'polling for work failed');
      }
      // The due work may have gone to another process, which does not wake this loop: idle() then needs another poll.
      const othersWork = idlers.length > 0 && !isBusy();
      // stop() wakes the sleeper, so a stop during a poll takes effect right after it.
      await sleeper.sleep(failures > 1 ? retryMs : failures === 1 || othersWork ? firstRetryMs : pollMs);
    }
  };
  const ended = run();

  return {
    wake: () => sleeper.wake(),
    idle: () =>
      new Promise((resolve) => {
        idlers = [...idlers, resolve];
        sleeper.wake();
      }),
    stop() {
      stopping = true;
      sleeper.wake();
      return ended;
    },
  };
}
