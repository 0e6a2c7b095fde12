import { Worker, type ResourceLimits } from 'node:worker_threads';
import { cpuMsOf, type ThreadReady } from './thread-cpu.js';
import { createTurnTree, type Turns } from './turn-tree.js';

/**
 * Starts a worker thread.
 * @param module the thread's module, as `new URL('./some-thread.js', import.meta.url)`; from sources the .ts file of
 *   that name is loaded
 */
function startThread(module: URL, resourceLimits: ResourceLimits): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(module, { resourceLimits });
  // Node 20 does not apply --import to threads, so the TypeScript loader is registered in each.
  const url = JSON.stringify(module.href.replace(/\.js$/, '.ts'));
  const code = `import('tsx/esm/api').then(({ register }) => { register(); return import(${url}); });`;
  return new Worker(code, { eval: true, resourceLimits });
}

/*
 * Threads for work that customers define: rendering a template, inlining its CSS. None can stop the process: a thread
 * that takes too much CPU time or memory is ended, and its request is refused. Partitions
 * (accounts) take turns, and so do the owners inside each.
 *
 * A thread calls announceReady after loading, and then posts one reply for each request.
 */

interface ThreadPoolOptions<Request> {
  /** The threads' module, as `new URL('./some-thread.js', import.meta.url)`. */
  readonly module: URL;
  readonly maxThreads: number;
  /**
   * How many threads one partition may have at a time; all but one by default, so that slow requests leave a thread for
   * the others.
   */
  readonly perPartition?: number;
  /** Large requests leave one of their partition's threads to its other requests, which overtake waiting large ones. */
  readonly isLarge?: (request: Request) => boolean;
  /** Requests of one owner that wait, at most. */
  readonly maxWaiting: number;
  /** Milliseconds of CPU time for one request; of time, if the system does not tell a thread's CPU time. */
  readonly cpuMs: number | ((request: Request) => number);
  /** Heap of one thread, in MiB. */
  readonly heapMb: number;
}

/** The path of the owners of a request, outermost first. */
export type ThreadOwner = Turns;

export interface ThreadPool<Request, Reply> {
  /**
   * Lets a thread answer a request.
   * @param owner the path of owners, such as account, environment and address: the first is the partition, and on each
   *   level owners take turns
   * @param isWanted called when the request's turn comes: a request that nobody waits for takes no thread
   * @throws ThreadQueueFull, ThreadEnded, ThreadStarved, RequestUnwanted; the error of a thread that cannot start
   */
  run(owner: ThreadOwner, request: Request, isWanted?: () => boolean): Promise<Reply>;
}

/** Too many requests of the owner wait. */
export class ThreadQueueFull extends Error {
  override readonly name = 'ThreadQueueFull';
}

/** The request took too much time or memory: the message states which, such as “takes longer than 500 ms”. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/** The machine was too busy to give the request its CPU time: the same request may succeed later. */
export class ThreadStarved extends Error {
  override readonly name = 'ThreadStarved';
}

/** Nobody waited for the request any more when its turn came. */
class RequestUnwanted extends Error {
  override readonly name = 'RequestUnwanted';
}

interface Job<Request, Reply> {
  /** The whole path. */
  owner: string;
  partition: string;
  request: Request;
  isWanted: (() => boolean) | undefined;
  resolve: (reply: Reply) => void;
  reject: (error: unknown) => void;
}

interface Thread<Request, Reply> {
  worker: Worker;
  /** The message that a thread posts once it has loaded. The time of its first job begins then. */
  ready: ThreadReady | undefined;
  job: Job<Request, Reply> | undefined;
  /** Looks at the time that its job has used, or ends the thread when it was idle for long. */
  timer: NodeJS.Timeout | undefined;
}

/** A request may wait for the CPU until this many times its CPU time has passed. */
const starvedAfter = 10;
/** Milliseconds until a job that has used nearly all of its time is looked at again. */
const shortestLookMs = 20;

/** Milliseconds after which an unused thread ends: each takes about 10 MiB. */
const idleMs = 60_000;

/** MiB of a thread's young generation, regardless of the process's own. */
const youngMb = 12;

/** Threads start when they are needed, and end when they are not. */
export function createThreadPool<Request, Reply extends object>({
  module,
  maxThreads,
  perPartition = maxThreads - 1,
  isLarge = () => false,
  maxWaiting,
  cpuMs,
  heapMb,
}: ThreadPoolOptions<Request>): ThreadPool<Request, Reply> {
  const threads = new Set<Thread<Request, Reply>>();
  const waiting = createTurnTree<Job<Request, Reply>>();
  /** How many jobs of each owner wait. */
  const lengths = new Map<string, number>();

  /** The next job that may run. */
  function nextJob(): Job<Request, Reply> | undefined {
    const running = new Map<string, number>();
    const runningLarge = new Map<string, number>();
    for (const { job } of threads) {
      if (!job) continue;
      running.set(job.partition, (running.get(job.partition) ?? 0) + 1);
      if (isLarge(job.request)) runningLarge.set(job.partition, (runningLarge.get(job.partition) ?? 0) + 1);
    }
    const mayBeLarge = (partition: string): boolean =>
      perPartition === 1 || (runningLarge.get(partition) ?? 0) < perPartition - 1;
    const next = waiting.take(
      (partition) => (running.get(partition) ?? 0) < perPartition,
      ({ partition, request }) => mayBeLarge(partition) || !isLarge(request),
    );
    if (!next) return undefined;
    const left = (lengths.get(next.owner) ?? 1) - 1;
    if (left > 0) lengths.set(next.owner, left);
    else lengths.delete(next.owner);
    return next;
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
    if (thread.ready) begin(thread, thread.ready, job);
  }

  function begin(thread: Thread<Request, Reply>, { threadId }: ThreadReady, { request }: Job<Request, Reply>): void {
    const ms = typeof cpuMs === 'number' ? cpuMs : cpuMs(request);
    const [startedAt, usedBefore] = [performance.now(), cpuMsOf(threadId) ?? 0];
    const look = (): void => {
      const passed = performance.now() - startedAt;
      const total = cpuMsOf(threadId);
      const used = total === null ? passed : total - usedBefore;
      if (used >= ms) end(thread, new ThreadEnded(`takes longer than ${ms} ms`));
      else if (passed >= starvedAfter * ms)
        end(thread, new ThreadStarved(`had ${used} ms of CPU time in ${Math.round(passed)} ms`));
      else lookAfter(ms - used);
    };
    const lookAfter = (left: number): void => {
      thread.timer = setTimeout(look, Math.max(left, shortestLookMs));
    };
    lookAfter(ms);
    thread.worker.postMessage(request);
  }

  function addThread(): Thread<Request, Reply> {
    const worker = startThread(module, { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb });
    const thread: Thread<Request, Reply> = { worker, ready: undefined, job: undefined, timer: undefined };
    threads.add(thread);
    worker.once('message', (ready: ThreadReady) => {
      thread.ready = ready;
      if (thread.job) begin(thread, ready, thread.job);
      worker.on('message', takeReply);
    });
    const takeReply = (reply: Reply): void => {
      const { job } = thread;
      clearTimeout(thread.timer);
      thread.job = undefined;
      worker.unref();
      thread.timer = setTimeout(() => end(thread, new ThreadEnded('was idle')), idleMs).unref();
      job?.resolve(reply);
      dispatch();
    };
    // A thread that runs out of memory ends by itself.
    worker.on('error', (error) => {
      if (!thread.ready) {
        thread.job?.reject(error);
        thread.job = undefined;
      }
      end(thread, new ThreadEnded('needs too much memory'));
    });
    return thread;
  }

  /** Ends a thread; its job, if it has one, is refused with `problem`. */
  function end(thread: Thread<Request, Reply>, problem: Error): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    thread.job?.reject(problem);
    dispatch();
  }

  return {
    async run(path, request, isWanted) {
      const [partition = ''] = path;
      const owner = path.join(' ');
      const length = lengths.get(owner) ?? 0;
      if (length >= maxWaiting) throw new ThreadQueueFull('Too many requests of this environment wait for a thread.');
      return new Promise((resolve, reject) => {
        lengths.set(owner, length + 1);
        waiting.add(path, { owner, partition, request, isWanted, resolve, reject });
        dispatch();
      });
    },
  };
}
