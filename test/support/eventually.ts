import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `condition` is true. The deadline is long, because only failing tests reach it. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 15_000,
  everyMs = 10,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not reached within ${withinMs / 1000} s: ${what}`);
    await pause(everyMs);
  }
}
