import { refusalOf } from '../errors/common.js';

/** How long a read waits for its turn. */
const waitMs = 5_000;
const perEnvironment = 2;

/** Runs reads that may take seconds: two at once per environment, and `atOnce` in this process. */
export interface LongReads {
  /** @throws rate_limited if there was no turn within 5 s; any error of `work` */
  run<T>(environmentId: string, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  environmentId: string;
  start: () => void;
}

/**
 * A read waits here before it takes a database connection, so that waiting reads hold none.
 * @param atOnce a quarter of the connection pool: the others stay free for calls that take milliseconds
 */
export function createLongReads(atOnce: number): LongReads {
  const running = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let total = 0;

  const mayStart = (environmentId: string): boolean =>
    total < atOnce && (running.get(environmentId) ?? 0) < perEnvironment;
  const change = (environmentId: string, by: 1 | -1): void => {
    total += by;
    const now = (running.get(environmentId) ?? 0) + by;
    if (now === 0) running.delete(environmentId);
    else running.set(environmentId, now);
  };
  const startNext = (): void => {
    for (const each of waiting) {
      if (total >= atOnce) return;
      if (mayStart(each.environmentId)) each.start();
    }
  };
  const turn = (environmentId: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const late = (): void => {
        waiting.delete(each);
        const limit = `${perEnvironment} slow reads at once per environment, ${atOnce} in all`;
        reject(refusalOf.rate_limited({ limit, seconds: waitMs / 1000 }));
      };
      const timer = setTimeout(late, waitMs);
      const each: Waiting = {
        environmentId,
        start() {
          waiting.delete(each);
          clearTimeout(timer);
          change(environmentId, 1);
          resolve();
        },
      };
      waiting.add(each);
    });

  return {
    async run(environmentId, work) {
      if (mayStart(environmentId)) change(environmentId, 1);
      else await turn(environmentId);
      try {
        return await work();
      } finally {
        change(environmentId, -1);
        startNext();
      }
    },
  };
}
