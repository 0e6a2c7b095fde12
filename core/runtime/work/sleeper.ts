/** A sleep that can be cut short, also by a wake that came while there was work to do. */
export interface Sleeper {
  /** What was woken for before now is about to be seen to. */
  begin(): void;
  /** @param atMost for this once, in milliseconds */
  sleep(atMost?: number): Promise<void>;
  wake(): void;
}

/** @param ms how long a sleep lasts at most */
export function createSleeper(ms: number): Sleeper {
  let woken = false;
  let rouse: (() => void) | undefined;
  return {
    begin() {
      woken = false;
    },
    async sleep(atMost = ms) {
      if (woken) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(ms, atMost));
        rouse = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      rouse = undefined;
    },
    wake() {
      woken = true;
      rouse?.();
    },
  };
}
