import { availableParallelism } from 'node:os';
import { newId } from '#core/runtime/id.js';
import { createThreadPool } from '#core/runtime/thread-pool.js';
import { createBatcher } from '#core/runtime/database/batcher.js';
import type { SignJob, SignReply } from './sign-thread.js';

/*
 * Messages are signed in separate threads, so that neither the event loop nor password hashing, which uses libuv's
 * threads, waits for them. Messages that arrive together are sent to a thread together.
 */

const maxThreads = Math.max(2, availableParallelism());

const pool = createThreadPool<readonly SignJob[], SignReply>({
  module: new URL('./sign-thread.js', import.meta.url),
  maxThreads,
  maxWaiting: 1,
  // Nothing here comes from a customer: only a fault takes this long.
  cpuMs: 10_000,
  heapMb: 256,
});

const signTogether = createBatcher(
  // A separate partition for each batch: all threads may sign one environment's messages.
  (jobs: readonly SignJob[]) => pool.run([newId()], jobs),
  { maxItems: 16, weight: ({ raw }) => raw.byteLength, maxWeight: 4 * 1024 * 1024, maxRunning: maxThreads },
);

/**
 * Signs a message in a thread.
 * @returns its DKIM-Signature fields, to be placed before it
 * @throws Error if a key cannot be used
 */
export async function signInThread(job: SignJob): Promise<string> {
  const reply = await signTogether(job);
  if ('problem' in reply) throw new Error(`A message could not be signed: ${reply.problem}`);
  return reply.fields;
}
