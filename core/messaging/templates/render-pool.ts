import { availableParallelism } from 'node:os';
import { refusalOf } from '#core/kernel/errors/common.js';
import {
  createThreadPool,
  ThreadEnded,
  ThreadQueueFull,
  ThreadStarved,
  type ThreadOwner,
} from '#core/runtime/thread-pool.js';
import type { Checked, Rendered } from './liquid.js';
import type { RenderJob, RenderPart, RenderReply, RenderRequest } from './render-thread.js';
import { isSimpleJob, renderSimple } from './simple.js';

export type { RenderJob, RenderPart } from './render-thread.js';

/*
 * Customers' templates are rendered in threads (core/runtime/thread-pool.ts), so that none can stop the process, except
 * for those that cannot (simple.ts).
 */

/**
 * Refuses requests that the threads had no room or time for.
 * @param limit names the queue that is full, as “200 templates of this environment are waiting”
 * @throws rate_limited, unavailable; every other error as it is
 */
export function refuseUntaken(error: unknown, limit: string): never {
  if (error instanceof ThreadQueueFull) throw refusalOf.rate_limited({ limit, seconds: 1 });
  if (error instanceof ThreadStarved)
    throw refusalOf.unavailable({ problem: 'the machine is too busy to render a template' });
  throw error;
}

const pool = createThreadPool<RenderRequest, RenderReply>({
  module: new URL('./render-thread.js', import.meta.url),
  maxThreads: Math.max(2, availableParallelism()),
  maxWaiting: 200,
  // One message, parsing included.
  cpuMs: 500,
  heapMb: 64,
});

/**
 * Renders the texts of one message with the same variables.
 * @param owner the owner of the template: turnsOf its environment
 * @returns a result for each part, in order
 * @throws ThreadQueueFull if too many of the environment's requests are waiting; ThreadStarved; the error of a thread
 *   that cannot start
 */
export async function renderParts(owner: ThreadOwner, job: RenderJob): Promise<Rendered[]> {
  const [rendered] = await renderJobs(owner, [job]);
  if (!rendered) throw new Error('The render pool returned no result.');
  return rendered;
}

/**
 * Renders many messages: pass the same `parts` object in the jobs of one template. A message that takes too long or too
 * much memory is answered as a template error, and the others are rendered.
 * @param owner as for renderParts; other requests of the owner take turns with a long list
 * @returns for each job a result for each of its parts
 * @throws as renderParts
 */
export async function renderJobs(owner: ThreadOwner, jobs: readonly RenderJob[]): Promise<Rendered[][]> {
  if (jobs.every(isSimpleJob)) return renderSimple(jobs);
  const results: Rendered[][] = [];
  let atOnce = Infinity;
  while (results.length < jobs.length) {
    const next = jobs.slice(results.length, results.length + atOnce);
    const rendered = await request(owner, next);
    if (rendered) results.push(...rendered);
    // One of several was too slow: running them one by one shows which.
    else atOnce = 1;
  }
  return results;
}

/** @returns the results of the first jobs; undefined if the thread was ended because of one of several */
async function request(owner: ThreadOwner, jobs: readonly RenderJob[]): Promise<Rendered[][] | undefined> {
  try {
    const reply = await pool.run(owner, { render: jobs });
    return 'rendered' in reply ? reply.rendered : [];
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    const [only, ...others] = jobs;
    if (!only || others.length > 0) return undefined;
    return [only.parts.map((): Rendered => ({ ok: false, line: 1, column: 1, problem: error.message }))];
  }
}

/**
 * Checks the syntax of texts and lists the variables that they use.
 * @returns a result for each part, in order
 * @throws as renderParts
 */
export async function checkParts(owner: ThreadOwner, parts: readonly RenderPart[]): Promise<Checked[]> {
  try {
    const reply = await pool.run(owner, { check: parts });
    return 'checked' in reply ? reply.checked : [];
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    return parts.map(() => ({ ok: false, line: 1, column: 1, problem: error.message }));
  }
}
