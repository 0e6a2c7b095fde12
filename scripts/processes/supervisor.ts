import cluster, { type Worker } from 'node:cluster';
import type { State } from '#core/platform/state.js';
import { StartError } from '#core/platform/start-error.js';
import type { Log } from '#core/runtime/log.js';
import { countsOf, mergeMetrics, supervisorMetrics, type ProcessMetrics } from '#core/surfaces/http/metrics.js';
import { isToSupervisor, type ToProcess } from './messages.js';

/*
 * Several processes of svc that share one port (SVC_PROCESSES). Each is a separate node: it answers calls and works on
 * the queues. The supervisor owns the private database server, replaces a process that ends, and stops all together.
 */

/**
 * The processes accept connections from one listening socket. With the default policy, the supervisor would accept
 * them and pass them on, and a connection that it had passed to a process just killed would hang for its client
 * (docs/decisions/0125-several-processes.md).
 */
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** A process that ends sooner than this after its start has its replacement wait longer if that ends too. */
const steadyMs = 60_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** From one question whether a process answers to the next. */
const askMs = 5_000;
/**
 * A process that leaves as many questions in a row unanswered hangs: it stands still for 30 s. Counting questions
 * instead of time spares the processes if this one, or the whole machine, stood still.
 */
const mostUnanswered = 6;
/** How long a process may take to stop, after SVC_STOP_DELAY_SECONDS: 25 s are for what it is running. */
const stopMs = 35_000;
/** For a process that does not answer, so that one hanging process does not hide the metrics of the others. */
const collectMs = 3_000;

interface SupervisorOptions {
  readonly count: number;
  readonly state: State;
  readonly log: Log;
  readonly stopDelaySeconds: number;
  /** Seconds since the start of the command. */
  readonly elapsed: () => number;
}

interface Supervisor {
  /**
   * Starts the first process, which migrates the database, and then the others. Once the first one serves, one that
   * ends while it starts is started again.
   * @throws StartError with the message of the first process if it cannot start
   */
  start(): Promise<void>;
  /**
   * Lets every process finish what it is running, and kills one that does not end in time. May be called during the
   * start.
   * @throws Error if one of them ended by an error, or was killed
   */
  stop(): Promise<void>;
  /** Ends the wait of SVC_STOP_DELAY_SECONDS. */
  endDelay(): void;
}

export function createSupervisor({ count, state, log, stopDelaySeconds, elapsed }: SupervisorOptions): Supervisor {
  const ready = new Set<Worker>();
  const running = new Set<Worker>();
  const collections = new Map<number, (worker: Worker, metrics: ProcessMetrics) => void>();
  /** The last metrics of each process that runs, and the counts of those that have ended. */
  const last = new Map<Worker, ProcessMetrics>();
  let ended: Promise<ProcessMetrics> = Promise.resolve([]);
  let collected = 0;
  let isStopping = false;
  /** What ended a process while all were stopping, such as an error. */
  let failedStop: string | undefined;
  /** The questions in a row that each process has not answered. */
  const unanswered = new Map<Worker, number>();
  let asking: NodeJS.Timeout | undefined;
  let stopLimit: NodeJS.Timeout | undefined;

  const tell = (worker: Worker, message: ToProcess): void => {
    // With a callback, because a failure would otherwise be an 'error' event, which ends the supervisor.
    if (worker.isConnected()) worker.send(message, () => undefined);
  };

  /** Ends a process that cannot end itself. It is replaced like any other that ends. */
  const kill = (worker: Worker, why: string): void => {
    log.error({ pid: worker.process.pid }, why);
    worker.process.kill('SIGKILL');
  };
  const ask = (): void => {
    for (const worker of ready) {
      const missing = unanswered.get(worker) ?? 0;
      unanswered.set(worker, missing + 1);
      if (missing >= mostUnanswered) kill(worker, 'a process of svc does not answer and is killed');
      else tell(worker, { kind: 'ask' });
    }
  };
  const limitStop = (ms: number): void => {
    clearTimeout(stopLimit);
    stopLimit = setTimeout(() => {
      for (const worker of running) kill(worker, 'a process of svc did not stop in time and is killed');
    }, ms);
  };

  /** Asks all processes that are ready. One that does not answer in time is counted with its last answer. */
  async function collect(): Promise<string> {
    collected += 1;
    const id = collected;
    const missing = new Set(ready);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, collectMs);
      collections.set(id, (worker, metrics) => {
        last.set(worker, metrics);
        missing.delete(worker);
        if (missing.size > 0) return;
        clearTimeout(timer);
        resolve();
      });
      for (const worker of missing) tell(worker, { kind: 'collect', id });
    });
    collections.delete(id);
    if (missing.size > 0)
      log.warn(
        { pids: [...missing].map(({ process: { pid } }) => pid) },
        'processes of svc did not send their metrics',
      );
    return mergeMetrics([await supervisorMetrics(log), await ended, ...last.values()]);
  }

  function forget(worker: Worker): void {
    const metrics = last.get(worker);
    last.delete(worker);
    if (metrics) ended = ended.then((before) => countsOf([before, metrics]));
  }

  /**
   * @param pauseMs how long the process waits to be replaced if it ends soon
   * @returns once the process is ready
   * @throws StartError if it ends before
   */
  function launch(isFirst: boolean, pauseMs = firstPauseMs): Promise<Worker> {
    const worker = cluster.fork();
    const began = performance.now();
    let problem: string | undefined;
    running.add(worker);
    const begin = (): void => {
      const { databaseUrl, secretKey, description } = state;
      tell(worker, { kind: 'start', databaseUrl, secretKey: secretKey.toString('base64'), description, isFirst });
    };
    return new Promise((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        if (!isToSupervisor(message)) return;
        if (message.kind === 'listening') begin();
        if (message.kind === 'alive') unanswered.delete(worker);
        if (message.kind === 'failed') problem = message.message;
        if (message.kind === 'metrics') collections.get(message.id)?.(worker, message.metrics);
        if (message.kind === 'scrape') {
          const { id } = message;
          collect().then(
            (text) => tell(worker, { kind: 'collected', id, text }),
            (error: unknown) => {
              log.warn({ err: error }, 'adding up the metrics of the processes failed');
              tell(worker, { kind: 'collected', id, text: '' });
            },
          );
        }
        if (message.kind !== 'ready') return;
        ready.add(worker);
        resolve(worker);
      });
      // A message to a process that was just killed, or a process that the system could not start.
      worker.on('error', (error) => {
        log.warn({ err: error, pid: worker.process.pid }, 'a process of svc could not be reached');
        if (worker.process.pid !== undefined) return;
        running.delete(worker);
        reject(new StartError(`A process of svc could not be started: ${error.message}`));
      });
      worker.once('exit', (code, signal) => {
        const wasReady = ready.delete(worker);
        running.delete(worker);
        unanswered.delete(worker);
        forget(worker);
        const end = signal ? `by ${signal}` : `with the exit code ${code}`;
        if (!wasReady) reject(new StartError(problem ?? `A process of svc ended ${end} while it started.`));
        else if (!isStopping) {
          const facts = { pid: worker.process.pid, ...(problem === undefined ? {} : { problem }) };
          log[code === 0 ? 'info' : 'error'](facts, `a process of svc ended ${end}; another one starts`);
          replace(performance.now() - began >= steadyMs ? firstPauseMs : pauseMs);
        } else if (code !== 0) failedStop ??= problem ?? `A process of svc ended ${end}.`;
      });
    });
  }

  function replace(pauseMs: number): void {
    const nextMs = Math.min(longestPauseMs, pauseMs * 2);
    setTimeout(() => {
      if (isStopping) return;
      launch(false, nextMs).catch((error: unknown) => {
        if (isStopping) return;
        log.error({ err: error, pauseMs: nextMs }, 'a process of svc did not start; it is tried again');
        replace(nextMs);
      });
    }, pauseMs);
  }

  /** Starts a process, and again until it starts: others serve. @returns after the first attempt */
  const launchBeside = (): Promise<unknown> =>
    launch(false).catch((error: unknown) => {
      if (isStopping) return;
      log.error({ err: error, pauseMs: firstPauseMs }, 'a process of svc did not start; it is tried again');
      replace(firstPauseMs);
    });

  return {
    async start() {
      const first = await launch(true);
      asking = setInterval(ask, askMs);
      await Promise.all(Array.from({ length: count - 1 }, launchBeside));
      const teller = ready.has(first) ? first : [...ready][0];
      if (teller && !isStopping) tell(teller, { kind: 'announce', processes: ready.size, seconds: elapsed() });
    },
    async stop() {
      isStopping = true;
      const ends = [...running].map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
      for (const worker of running) {
        // One that is only starting serves nobody, and may be waiting for the database.
        if (ready.has(worker)) tell(worker, { kind: 'stop' });
        else worker.process.kill('SIGKILL');
      }
      limitStop(stopDelaySeconds * 1_000 + stopMs);
      await Promise.all(ends);
      clearTimeout(stopLimit);
      clearInterval(asking);
      if (failedStop !== undefined) throw new Error(failedStop);
    },
    endDelay() {
      for (const worker of running) tell(worker, { kind: 'end-delay' });
      if (isStopping) limitStop(stopMs);
    },
  };
}
