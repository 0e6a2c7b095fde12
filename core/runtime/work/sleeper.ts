/** A sleep that `wake` ends early. A wake that came before the sleep, after `begin`, ends it immediately. */
interface Sleeper {
  /** Forgets earlier wakes. Call it before looking for work, which covers the work that they announced. */
  begin(): void;
  /** @param atMost the longest duration of this sleep, in milliseconds */
  sleep(atMost?: number): Promise<void>;
  wake(): void;
}

/** @param ms the longest duration of every sleep in milliseconds; Infinity sleeps until woken */
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
