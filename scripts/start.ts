import cluster from 'node:cluster';
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

/**
 * `npm start`. SIGTERM and SIGINT stop it gracefully: accept no more requests, finish running ones, release leases,
 * exit with 0.
 */
async function main(): Promise<void> {
  const began = performance.now();
  // Set before a thread starts. The `date` filter of templates uses the time zone of the process: in a zone with
  // daylight saving time, it would be an hour off around each clock change.
  process.env['TZ'] = 'UTC';
  const elapsed = (): number => (performance.now() - began) / 1000;
  const { plugins, settings } = await serverSettings();
  const log = createLog(settings.core.logLevel);
  if (cluster.isWorker) return runProcess({ settings, plugins, log, say });
  requireStartable(settings, plugins);
  await requireFreePorts(settings, plugins);
  const { stopDelaySeconds } = settings.core;
  const { count } = processesOf(settings);
  const state = await openState(settings, log, say);
  try {
    const { stop, endDelay } =
      count > 1
        ? await supervise({ count, state, log, elapsed })
        : await startAlone({ settings, plugins, log, state, elapsed });
    const signal = await new Promise<string>((resolve) => {
      let isFirst = true;
      const receive = (name: string): void => {
        if (isFirst) resolve(name);
        else endDelay();
        isFirst = false;
      };
      process.on('SIGTERM', receive).on('SIGINT', receive);
    });
    const delay = stopDelaySeconds === 0 ? '' : `answering for another ${stopDelaySeconds} s, then `;
    say(`${signal}: ${delay}finishing what is running …`);
    await stop();
  } finally {
    await state.stop();
  }
  say('Stopped.');
}

interface Started {
  stop(): Promise<void>;
  /** Ends the wait of SVC_STOP_DELAY_SECONDS. */
  endDelay(): void;
}

interface AloneOptions extends Awaited<ReturnType<typeof serverSettings>> {
  readonly log: Log;
  readonly state: State;
  readonly elapsed: () => number;
}

async function startAlone({ settings, plugins, log, state, elapsed }: AloneOptions): Promise<Started> {
  const { databaseUrl, secretKey, description } = state;
  const platform = await startPlatform({ settings, plugins, databaseUrl, secretKey, log, progress: say });
  await announceStart({ platform, description, say, seconds: elapsed() });
  const delay = new AbortController();
  return { stop: () => platform.stop(delay.signal), endDelay: () => delay.abort() };
}

async function supervise(options: Parameters<typeof createSupervisor>[0]): Promise<Started> {
  const supervisor = createSupervisor(options);
  try {
    await supervisor.start();
  } catch (error) {
    const stopped = supervisor.stop();
    supervisor.endDelay();
    await stopped;
    throw error;
  }
  return supervisor;
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
  else process.stderr.write(`svc cannot start:${message.includes('\n') ? '\n' : ' '}${message}\n`);
  process.exit(1);
}
