import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startThread } from '#core/runtime/thread.js';
import { isPlain, type Rendered } from './liquid.js';
import type { RenderRequest } from './render-thread.js';

/*
 * Customers' templates are rendered in threads, so that none can stop the process: a thread that takes too long, or too much memory, is
 * ended, and its request is answered as a template error. Partitions (environments) take turns, and one partition never has all threads.
 */

/** Milliseconds for one request, parsing included. */
const deadlineMs = 500;
/** Milliseconds after which an unused thread ends: each takes about 10 MiB. */
const idleMs = 60_000;
/** Two at least: a partition has at most all but one. */
const maxThreads = Math.max(2, availableParallelism());
const maxPerPartition = maxThreads - 1;
/** Requests of one partition that wait, at most. */
const maxWaiting = 200;
/** Heap of one thread, in MiB. */
const threadHeapMb = 64;

export class RenderQueueFull extends Error {
  override readonly name = 'RenderQueueFull';
}

interface Job {
  partition: string;
  request: RenderRequest;
  resolve: (rendered: Rendered[]) => void;
  reject: (error: unknown) => void;
}

interface Thread {
  worker: Worker;
  /** Has it loaded? The deadline of its first job begins then. */
  ready: boolean;
  job: Job | undefined;
  /** Ends the thread after the deadline of its job, or when it was idle for long. */
  timer: NodeJS.Timeout | undefined;
}

const threads = new Set<Thread>();
/** Waiting jobs by partition; the first partition has the next turn. */
const waiting = new Map<string, Job[]>();

/**
 * Renders the texts of one message with the same variables.
 * @param partition whose template it is: an environment's id
 * @returns a result for each part, in their order
 * @throws RenderQueueFull when too many of the partition's requests wait; the error of a thread that cannot start
 */
export async function renderParts(partition: string, request: RenderRequest): Promise<Rendered[]> {
  const { parts } = request;
  if (parts.every(({ source }) => isPlain(source))) return parts.map(({ source }) => ({ ok: true, text: source }));
  const queue = waiting.get(partition) ?? [];
  if (queue.length >= maxWaiting)
    throw new RenderQueueFull('Too many templates of this environment wait for rendering.');
  return new Promise((resolve, reject) => {
    waiting.set(partition, [...queue, { partition, request, resolve, reject }]);
    dispatch();
  });
}

function dispatch(): void {
  for (;;) {
    const thread = [...threads].find(({ job }) => job === undefined);
    if (!thread && threads.size >= maxThreads) return;
    const job = nextJob();
    if (!job) return;
    run(thread ?? addThread(), job);
  }
}

/** The first waiting job of the next partition that may have another thread; that partition goes to the end of the line. */
function nextJob(): Job | undefined {
  for (const [partition, [first, ...rest]] of waiting) {
    const running = [...threads].filter(({ job }) => job?.partition === partition).length;
    if (!first || running >= maxPerPartition) continue;
    waiting.delete(partition);
    if (rest.length > 0) waiting.set(partition, rest);
    return first;
  }
  return undefined;
}

function run(thread: Thread, job: Job): void {
  clearTimeout(thread.timer);
  thread.job = job;
  thread.worker.ref();
  if (thread.ready) begin(thread, job);
}

function begin(thread: Thread, job: Job): void {
  thread.timer = setTimeout(() => end(thread, `takes longer than ${deadlineMs} ms`), deadlineMs);
  thread.worker.postMessage(job.request);
}

function addThread(): Thread {
  const worker = startThread(new URL('./render-thread.js', import.meta.url), { maxOldGenerationSizeMb: threadHeapMb });
  const thread: Thread = { worker, ready: false, job: undefined, timer: undefined };
  threads.add(thread);
  worker.on('message', (message: 'ready' | Rendered[]) => {
    const { job } = thread;
    if (message === 'ready') {
      thread.ready = true;
      if (job) begin(thread, job);
      return;
    }
    clearTimeout(thread.timer);
    thread.job = undefined;
    worker.unref();
    thread.timer = setTimeout(() => end(thread, ''), idleMs).unref();
    job?.resolve(message);
    dispatch();
  });
  // A thread that runs out of memory ends by itself.
  worker.on('error', (error) => {
    if (!thread.ready) {
      thread.job?.reject(error);
      thread.job = undefined;
    }
    end(thread, 'needs too much memory');
  });
  return thread;
}

/** Ends a thread; its job, if it has one, is answered with `problem`. */
function end(thread: Thread, problem: string): void {
  if (!threads.delete(thread)) return;
  clearTimeout(thread.timer);
  void thread.worker.terminate();
  thread.job?.resolve(thread.job.request.parts.map(() => ({ ok: false, line: 1, column: 1, problem })));
  dispatch();
}
