import cluster, { type Worker } from 'node:cluster';
import type { State } from '#core/platform/state.js';
import { StartError } from '#core/platform/start-error.js';
import type { Log } from '#core/runtime/log.js';
import { mergeMetrics, type ProcessMetrics } from '#core/surfaces/http/metrics.js';
import { isToSupervisor, type ToProcess } from './messages.js';

/*
 * Several processes of svc that share one port (SVC_PROCESSES). Each is a node of its own: it answers calls and works
 * on the queues. The supervisor owns the private database server, hands connections out in turn, replaces a process
 * that ends, and stops all together.
 */

/** A process that ends sooner than this after its start is replaced more slowly each time. */
const steadyMs = 60_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** For a process that does not answer, so that one hanging process does not hide the metrics of the others. */
const collectMs = 3_000;

interface SupervisorOptions {
  readonly count: number;
  readonly state: State;
  readonly log: Log;
  /** Seconds since the start of the command. */
  readonly elapsed: () => number;
}

export interface Supervisor {
  /**
   * Starts the first process, which migrates the database, and then the others.
   * @throws StartError with the message of a process that cannot start
   */
  start(): Promise<void>;
  /** Lets every process finish what it is running. */
  stop(): Promise<void>;
  /** Ends the wait of SVC_STOP_DELAY_SECONDS. */
  endDelay(): void;
}

export function createSupervisor({ count, state, log, elapsed }: SupervisorOptions): Supervisor {
  const ready = new Set<Worker>();
  const running = new Set<Worker>();
  const collections = new Map<number, (worker: Worker, metrics: ProcessMetrics) => void>();
  let collected = 0;
  let isStopping = false;
  let pauseMs = firstPauseMs;

  const tell = (worker: Worker, message: ToProcess): void => {
    if (worker.isConnected()) worker.send(message);
  };

  /** Asks all processes that are ready. */
  async function collect(): Promise<string> {
    collected += 1;
    const id = collected;
    const asked = [...ready];
    const found = new Map<Worker, ProcessMetrics>();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, collectMs);
      collections.set(id, (worker, metrics) => {
        found.set(worker, metrics);
        if (found.size < asked.length) return;
        clearTimeout(timer);
        resolve();
      });
      for (const worker of asked) tell(worker, { kind: 'collect', id });
    });
    collections.delete(id);
    return mergeMetrics([...found.values()]);
  }

  /** @returns once the process is ready @throws StartError if it ends before */
  function launch(isFirst: boolean): Promise<Worker> {
    const worker = cluster.fork();
    const began = performance.now();
    let problem: string | undefined;
    running.add(worker);
    const begin = (): void => {
      const { databaseUrl, secretKey, description } = state;
      tell(worker, { kind: 'start', databaseUrl, secretKey: secretKey.toString('base64'), description, isFirst });
      if (isStopping) tell(worker, { kind: 'stop' });
    };
    return new Promise((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        if (!isToSupervisor(message)) return;
        if (message.kind === 'listening') begin();
        if (message.kind === 'failed') problem = message.message;
        if (message.kind === 'metrics') collections.get(message.id)?.(worker, message.metrics);
        if (message.kind === 'scrape') {
          const { id } = message;
          void collect().then((text) => tell(worker, { kind: 'collected', id, text }));
        }
        if (message.kind !== 'ready') return;
        ready.add(worker);
        resolve(worker);
      });
      worker.once('exit', (code, signal) => {
        const wasReady = ready.delete(worker);
        running.delete(worker);
        const end = signal ? `by ${signal}` : `with the exit code ${code}`;
        if (!wasReady) reject(new StartError(problem ?? `A process of svc ended ${end} while it started.`));
        else if (!isStopping) replace(worker, end, performance.now() - began);
      });
    });
  }

  function replace(ended: Worker, end: string, lastedMs: number): void {
    pauseMs = lastedMs >= steadyMs ? firstPauseMs : Math.min(longestPauseMs, pauseMs * 2);
    log.error({ pid: ended.process.pid, pauseMs }, `a process of svc ended ${end}; another one starts`);
    const again = (): void => {
      if (isStopping) return;
      launch(false).catch((error: unknown) => {
        pauseMs = Math.min(longestPauseMs, pauseMs * 2);
        log.error({ err: error, pauseMs }, 'a process of svc did not start; it is tried again');
        setTimeout(again, pauseMs);
      });
    };
    setTimeout(again, pauseMs);
  }

  return {
    async start() {
      const first = await launch(true);
      await Promise.all(Array.from({ length: count - 1 }, () => launch(false)));
      tell(first, { kind: 'announce', processes: count, seconds: elapsed() });
    },
    async stop() {
      isStopping = true;
      const ends = [...running].map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
      for (const worker of running) tell(worker, { kind: 'stop' });
      await Promise.all(ends);
    },
    endDelay() {
      for (const worker of running) tell(worker, { kind: 'end-delay' });
    },
  };
}
