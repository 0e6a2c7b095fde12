import { setTimeout as pause } from 'node:timers/promises';
import { oneLine } from '../terminal/sanitize.js';

/** Without a terminal, a line at most this often. */
const quietMs = 30_000;

/** The waits before calls are repeated. Several calls may wait at once. */
export interface Waits {
  /** Waits before a call is repeated. Without a terminal, a line on standard error says so. */
  wait(failure: Error, seconds: number): Promise<void>;
  /** The current wait, to be added to the progress line; empty if there is none. */
  text(): string;
}

/** @param progress what the command is doing */
export function createWaits(progress: () => string): Waits {
  const current = new Set<{ readonly until: number; readonly reason: string }>();
  let quietUntil = 0;
  const text = (): string => {
    const [last] = [...current].sort((a, b) => b.until - a.until);
    if (!last) return '';
    const seconds = Math.max(1, Math.ceil((last.until - performance.now()) / 1000));
    return `; waiting ${seconds} s: ${last.reason}`;
  };
  return {
    text,
    async wait({ message }, seconds) {
      const waiting = { until: performance.now() + seconds * 1000, reason: oneLine(message).replace(/\.$/, '') };
      current.add(waiting);
      if (!process.stderr.isTTY && performance.now() >= quietUntil) {
        quietUntil = performance.now() + quietMs;
        process.stderr.write(`${progress()}${text()}.\n`);
      }
      await pause(seconds * 1000);
      current.delete(waiting);
    },
  };
}
