import type { Log } from '../log.js';
import { createSleeper } from './sleeper.js';

export interface Loop {
  /** There may be something to do: look now. */
  wake(): void;
  /** Resolves once a look that began after this call found nothing and nothing is in work. */
  idle(): Promise<void>;
  /** Looks no more; resolves when the last look has ended. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  name: string;
  log: Log;
  /** How often to look without being woken. */
  pollMs: number;
  /** @returns whether anything was due */
  look: () => Promise<boolean>;
  /** Is something from earlier looks still in work? */
  isBusy: () => boolean;
}

/** How soon a look is made up for that failed, be it by a conflict: what it was woken for is still there. */
const againMs = 25;

/** Looks for work, again and again: at once when woken, else every `pollMs`. */
export function startLoop({ name, log, pollMs, look, isBusy }: LoopOptions): Loop {
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
      // stop() wakes the sleeper, so that a stop during a look is seen at once.
      await sleeper.sleep(failures === 1 ? againMs : pollMs);
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
