import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until `condition` is true. The deadline is long, because only failing tests reach it. On a slow machine the
 * condition is asked less often, so that one that calls svc stays below the 600 calls a minute of its key.
 */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 15_000,
  everyMs = 10,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (let asked = 0; !(await condition()); asked += 1) {
    if (Date.now() > deadline) throw new Error(`Not reached within ${withinMs / 1000} s: ${what}`);
    await pause(asked < 50 ? everyMs : Math.max(everyMs, 50));
  }
}
