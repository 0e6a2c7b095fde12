import type { Worker } from 'node:worker_threads';
import { startThread } from './thread.js';

/*
 * Threads for work that customers decide: rendering a template, inlining its CSS. None can stop the process: a thread that takes too long,
 * or too much memory, is ended, and its request is refused. Partitions (environments) take turns.
 *
 * A thread posts 'ready' once it has loaded, and then one reply for each request.
 */

export interface ThreadPoolOptions<Request> {
  /** The threads' module, as `new URL('./some-thread.js', import.meta.url)`. */
  readonly module: URL;
  readonly maxThreads: number;
  /** How many threads one partition may have at once; all but one by default, so that slow requests leave a thread to the others. */
  readonly perPartition?: number;
  /** Requests of one partition that wait, at most. */
  readonly maxWaiting: number;
  /** Milliseconds for one request. */
  readonly deadlineMs: number | ((request: Request) => number);
  /** Heap of one thread, in MiB. */
  readonly heapMb: number;
}

export interface ThreadPool<Request, Reply> {
  /**
   * Has a thread answer a request.
   * @param partition whose request it is: an environment's id
   * @param isWanted asked when the request's turn comes: a request that nobody waits for takes no thread
   * @throws ThreadQueueFull, ThreadEnded, RequestUnwanted; the error of a thread that cannot start
   */
  run(partition: string, request: Request, isWanted?: () => boolean): Promise<Reply>;
}

/** Too many requests of the partition wait. */
export class ThreadQueueFull extends Error {
  override readonly name = 'ThreadQueueFull';
}

/** The request took too long or too much memory: the message says which, as “takes longer than 500 ms”. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/** Nobody waited for the request any more when its turn came. */
export class RequestUnwanted extends Error {
  override readonly name = 'RequestUnwanted';
}

interface Job<Request, Reply> {
  partition: string;
  request: Request;
  isWanted: (() => boolean) | undefined;
  resolve: (reply: Reply) => void;
  reject: (error: unknown) => void;
}

interface Thread<Request, Reply> {
  worker: Worker;
  /** Has it loaded? The deadline of its first job begins then. */
  ready: boolean;
  job: Job<Request, Reply> | undefined;
  /** Ends the thread after the deadline of its job, or when it was idle for long. */
  timer: NodeJS.Timeout | undefined;
}

/** Milliseconds after which an unused thread ends: each takes about 10 MiB. */
const idleMs = 60_000;

/** MiB of a thread's young generation, whatever the process's own has. */
const youngMb = 12;

/** Threads start when they are needed, and end when they are not. */
export function createThreadPool<Request, Reply extends object>({
  module,
  maxThreads,
  perPartition = maxThreads - 1,
  maxWaiting,
  deadlineMs,
  heapMb,
}: ThreadPoolOptions<Request>): ThreadPool<Request, Reply> {
  const threads = new Set<Thread<Request, Reply>>();
  /** Waiting jobs by partition; the first partition has the next turn. */
  const waiting = new Map<string, Job<Request, Reply>[]>();

  /** The first waiting job of the next partition that may have another thread; that partition goes to the end of the line. */
  function nextJob(): Job<Request, Reply> | undefined {
    for (const [partition, [first, ...rest]] of waiting) {
      const running = [...threads].filter(({ job }) => job?.partition === partition).length;
      if (!first || running >= perPartition) continue;
      waiting.delete(partition);
      if (rest.length > 0) waiting.set(partition, rest);
      return first;
    }
    return undefined;
  }

  function dispatch(): void {
    for (;;) {
      const thread = [...threads].find(({ job }) => job === undefined);
      if (!thread && threads.size >= maxThreads) return;
      const job = nextJob();
      if (!job) return;
      if (job.isWanted?.() === false) {
        job.reject(new RequestUnwanted('Nobody waits for the answer.'));
        continue;
      }
      assign(thread ?? addThread(), job);
    }
  }

  function assign(thread: Thread<Request, Reply>, job: Job<Request, Reply>): void {
    clearTimeout(thread.timer);
    thread.job = job;
    thread.worker.ref();
    if (thread.ready) begin(thread, job);
  }

  function begin(thread: Thread<Request, Reply>, { request }: Job<Request, Reply>): void {
    const ms = typeof deadlineMs === 'number' ? deadlineMs : deadlineMs(request);
    thread.timer = setTimeout(() => end(thread, `takes longer than ${ms} ms`), ms);
    thread.worker.postMessage(request);
  }

  function addThread(): Thread<Request, Reply> {
    const worker = startThread(module, { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb });
    const thread: Thread<Request, Reply> = { worker, ready: false, job: undefined, timer: undefined };
    threads.add(thread);
    worker.on('message', (message: 'ready' | Reply) => {
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

  /** Ends a thread; its job, if it has one, is refused with `problem`. */
  function end(thread: Thread<Request, Reply>, problem: string): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    thread.job?.reject(new ThreadEnded(problem));
    dispatch();
  }

  return {
    async run(partition, request, isWanted) {
      const queue = waiting.get(partition) ?? [];
      if (queue.length >= maxWaiting)
        throw new ThreadQueueFull('Too many requests of this environment wait for a thread.');
      return new Promise((resolve, reject) => {
        waiting.set(partition, [...queue, { partition, request, isWanted, resolve, reject }]);
        dispatch();
      });
    },
  };
}
