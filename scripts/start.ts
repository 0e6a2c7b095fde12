import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { SettingsError } from '#config/read.js';
import { RegistryError } from '#core/kernel/registry/registry.js';
import { startPlatform } from '#core/platform/platform.js';
import { requireStartable } from '#core/kernel/registry/startable.js';
import { requireFreePorts } from '#core/platform/start-checks.js';
import { StartError } from '#core/platform/start-error.js';
import { processesOf } from '#core/platform/processes.js';
import { openState, type State } from '#core/platform/state.js';
import { createLog, type Log } from '#core/runtime/log.js';
import { announceStart } from './announce.js';
import { runProcess, tell } from './processes/process.js';
import { createSupervisor } from './processes/supervisor.js';
import { serverSettings } from './server-settings.js';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** How long a single process may take to stop, after SVC_STOP_DELAY_SECONDS: 25 s are for what it is running. */
const stopMs = 35_000;
/** How long a stop waits for a start that is in progress. */
const startMs = 5_000;

/** For the message of an error. */
const phase = { isStopping: false };

interface Signals {
  /** The name of the first one. */
  readonly first: Promise<string>;
  /** @param act called at each later one */
  onLater(act: () => void): void;
}

/** Listens for SIGTERM and SIGINT, which end a process at once that does not listen: also while it starts. */
function listenForSignals(): Signals {
  let later = (): void => undefined;
  const first = new Promise<string>((resolve) => {
    let isFirst = true;
    const receive = (name: string): void => {
      if (isFirst) resolve(name);
      else later();
      isFirst = false;
    };
    process.on('SIGTERM', receive).on('SIGINT', receive);
  });
  return { first, onLater: (act) => void (later = act) };
}

/**
 * `npm start`. SIGTERM and SIGINT stop it gracefully, also while it starts: accept no more requests, finish running
 * ones, release leases, exit with 0.
 */
async function main(): Promise<void> {
  const began = performance.now();
  const signals = listenForSignals();
  // Set before a thread starts. The `date` filter of templates uses the time zone of the process: in a zone with
  // daylight saving time, it would be an hour off around each clock change.
  process.env['TZ'] = 'UTC';
  const elapsed = (): number => (performance.now() - began) / 1000;
  const { plugins, settings } = await serverSettings();
  const log = createLog(settings.core.logLevel);
  if (cluster.isWorker) return runProcess({ settings, plugins, log, say, signal: signals.first });
  requireStartable(settings, plugins);
  await requireFreePorts(settings, plugins);
  const { stopDelaySeconds } = settings.core;
  const { count } = processesOf(settings);
  const state = await openState(settings, log, say);
  try {
    const { started, stop, endDelay } =
      count > 1
        ? supervise({ count, state, log, stopDelaySeconds, elapsed })
        : startAlone({ settings, plugins, log, state, elapsed });
    signals.onLater(endDelay);
    // A start that fails after the signal is over anyway.
    started.catch(() => undefined);
    await Promise.race([started, signals.first]);
    const signal = await signals.first;
    phase.isStopping = true;
    const delay = stopDelaySeconds === 0 ? '' : `answering for another ${stopDelaySeconds} s, then `;
    say(`${signal}: ${delay}finishing what is running …`);
    await stop();
  } finally {
    await state.stop();
  }
  say('Stopped.');
}

interface Starting {
  /** @throws what startPlatform throws */
  readonly started: Promise<void>;
  /** May be called during the start. */
  stop(): Promise<void>;
  /** Ends the wait of SVC_STOP_DELAY_SECONDS. */
  endDelay(): void;
}

interface AloneOptions extends Awaited<ReturnType<typeof serverSettings>> {
  readonly log: Log;
  readonly state: State;
  readonly elapsed: () => number;
}

function startAlone({ settings, plugins, log, state, elapsed }: AloneOptions): Starting {
  const { databaseUrl, secretKey, description } = state;
  const delay = new AbortController();
  const starting = startPlatform({ settings, plugins, databaseUrl, secretKey, log, progress: say });
  const limitMs = settings.core.stopDelaySeconds * 1_000 + stopMs;
  return {
    started: starting.then((platform) => announceStart({ platform, description, say, seconds: elapsed() })),
    async stop() {
      // A start that waits, for example for the migration of another node, serves nobody.
      const platform = await Promise.race([starting.catch(() => undefined), pause(startMs, undefined, { ref: false })]);
      const late = pause(limitMs, undefined, { ref: false }).then(() => {
        throw new Error(`svc did not finish what was running within ${limitMs / 1_000} s.`);
      });
      await Promise.race([platform?.stop(delay.signal), late]);
    },
    endDelay: () => delay.abort(),
  };
}

function supervise(options: Parameters<typeof createSupervisor>[0]): Starting {
  const supervisor = createSupervisor(options);
  const started = supervisor.start().catch(async (error: unknown) => {
    const stopped = supervisor.stop();
    supervisor.endDelay();
    await stopped;
    throw error;
  });
  return { ...supervisor, started };
}

/** Errors that state what to do need no stack. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isPlain = [SettingsError, RegistryError, StartError].some((kind) => error instanceof kind);
  return isPlain ? error.message : (error.stack ?? error.message);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const message = messageOf(error);
  if (cluster.isWorker) await tell({ kind: 'failed', message });
  else {
    const what = phase.isStopping ? 'svc did not stop properly' : 'svc cannot start';
    process.stderr.write(`${what}:${message.includes('\n') ? '\n' : ' '}${message}\n`);
  }
  process.exit(1);
}
