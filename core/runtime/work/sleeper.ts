/** A sleep that `wake` ends early, including a wake that came while there was work to do. */
export interface Sleeper {
  /** Forgets earlier wakes: what they announced is about to be looked for. */
  begin(): void;
  /** @param atMost for this once, in milliseconds */
  sleep(atMost?: number): Promise<void>;
  wake(): void;
}

/** @param ms how long a sleep lasts at most; Infinity: until it is woken */
export function createSleeper(ms: number): Sleeper {
  let woken = false;
  let endSleep: (() => void) | undefined;
  return {
    begin() {
      woken = false;
    },
    async sleep(atMost = ms) {
      if (woken) return;
      const wait = Math.min(ms, atMost);
      await new Promise<void>((resolve) => {
        const timer = Number.isFinite(wait) ? setTimeout(resolve, wait) : undefined;
        endSleep = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      endSleep = undefined;
    },
    wake() {
      woken = true;
      endSleep?.();
    },
  };
}
