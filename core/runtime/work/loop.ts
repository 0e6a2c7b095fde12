import type { Log } from '../log.js';
import { createSleeper } from './sleeper.js';

export interface Loop {
  /** There may be something to do: look now. */
  wake(): void;
  /** Resolves once a look that began after this call found nothing and nothing is running. */
  idle(): Promise<void>;
  /** Looks no more; resolves when the last look has ended. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  name: string;
  log: Log;
  /** How often to look without being woken; never when absent. */
  pollMs?: number;
  /** @returns whether anything was due */
  look: () => Promise<boolean>;
  /** Whether something from earlier looks is still running. */
  isBusy?: () => boolean;
}

/** A first failed look is repeated soon, because what it was woken for is still there; further ones keep to a slower pace. */
const [firstRetryMs, retryMs] = [25, 250];

/** Looks for work repeatedly: at once when woken, and every `pollMs`. */
export function startLoop({ name, log, pollMs = Infinity, look, isBusy = () => false }: LoopOptions): Loop {
  const sleeper = createSleeper(pollMs);
  let stopping = false;
  let idlers: (() => void)[] = [];
  let failures = 0;

  const run = async (): Promise<void> => {
    while (!stopping) {
      sleeper.begin();
      const asked = idlers;
      try {
        const found = await look();
        failures = 0;
        if (!found && !isBusy()) {
          asked.forEach((resolve) => resolve());
          idlers = idlers.filter((each) => !asked.includes(each));
        }
      } catch (error) {
        failures += 1;
        log.warn({ err: error, queue: name }, 'looking for work failed');
      }
      // stop() wakes the sleeper, so a stop during a look is seen at once.
      await sleeper.sleep(failures === 0 ? pollMs : failures === 1 ? firstRetryMs : retryMs);
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
