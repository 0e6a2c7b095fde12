import type { Clock } from '#core/runtime/clock.js';

/**
 * A clock that does not move until a test advances it. It starts at its first use: without `--parallel`, Mocha loads
 * all files before it runs the first test, and programs in separate processes use the machine's clock.
 */
export interface TestClock extends Clock {
  /** Moves the clock, also back. */
  advance(ms: number): void;
  /** What `isTrusted` returns from now on; true at first. Meanwhile `certain` stands still. */
  trust(isTrusted: boolean): void;
}

export function testClock(): TestClock {
  let started: number | undefined;
  let trusted = true;
  let certain: number | undefined;
  let latest = -Infinity;
  const time = (): number => (started ??= Date.now());
  return {
    now: () => new Date(time()),
    isTrusted: () => trusted,
    certain: () => new Date(certain ?? time()),
    aheadUntil: () => (latest > time() ? new Date(latest) : null),
    trust(isTrusted) {
      trusted = isTrusted;
      certain = isTrusted ? undefined : (certain ?? time());
    },
    advance(ms) {
      latest = Math.max(latest, time());
      started = time() + ms;
    },
  };
}

export const seconds = (n: number): number => n * 1_000;
export const minutes = (n: number): number => n * 60_000;
export const hours = (n: number): number => n * 3_600_000;
export const days = (n: number): number => n * 86_400_000;
