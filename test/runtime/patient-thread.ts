import { parentPort } from 'node:worker_threads';
import { announceReady } from '#core/runtime/thread-cpu.js';

/** Waits without using the CPU, uses the CPU, or both not at all. */
export interface Exertion {
  waitMs?: number;
  workMs?: number;
  isLarge?: boolean;
}

/* A thread of thread-pool.test.ts. */
parentPort?.on('message', ({ waitMs = 0, workMs = 0 }: Exertion) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
  const { user, system } = process.cpuUsage();
  const used = (): number => (process.cpuUsage().user + process.cpuUsage().system - user - system) / 1_000;
  while (used() < workMs);
  parentPort?.postMessage({ done: true });
});
announceReady();
