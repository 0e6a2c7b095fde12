import type { coreSettings } from '#core/kernel/settings.js';
import type { Settings } from '#config/read.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { startPlatform } from '#core/platform/platform.js';
import type { Log } from '#core/runtime/log.js';
import type { ProcessMetrics } from '#core/surfaces/http/metrics.js';
import { announceStart } from '../announce.js';
import { isToProcess, type ToProcess, type ToSupervisor } from './messages.js';

/* One of the processes of svc, if SVC_PROCESSES is more than 1. The supervisor starts it and tells it to stop. */

/** The next message of a kind from the supervisor. */
function receive<K extends ToProcess['kind']>(kind: K): Promise<Extract<ToProcess, { kind: K }>> {
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      if (!isToProcess(message) || !isKind(message, kind)) return;
      process.off('message', listen);
      resolve(message);
    };
    process.on('message', listen);
  });
}

const isKind = <K extends ToProcess['kind']>(message: ToProcess, kind: K): message is Extract<ToProcess, { kind: K }> =>
  message.kind === kind;

/**
 * Sends a message. One that the supervisor can no longer receive is dropped: the process ends with the channel.
 * @returns once it is on its way
 */
export const tell = (message: ToSupervisor): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });

/** The metrics of all processes, which the supervisor collects. */
function collector(): { collect: () => Promise<string>; answer: (own: () => Promise<ProcessMetrics>) => void } {
  const scrapes = new Map<number, (text: string) => void>();
  let last = 0;
  process.on('message', (message: unknown) => {
    if (!isToProcess(message) || message.kind !== 'collected') return;
    scrapes.get(message.id)?.(message.text);
    scrapes.delete(message.id);
  });
  return {
    collect: () =>
      new Promise((resolve) => {
        last += 1;
        scrapes.set(last, resolve);
        void tell({ kind: 'scrape', id: last });
      }),
    answer(own) {
      process.on('message', (message: unknown) => {
        if (!isToProcess(message) || message.kind !== 'collect') return;
        const { id } = message;
        own().then(
          (metrics) => tell({ kind: 'metrics', id, metrics }),
          // The supervisor counts this process with its last answer.
          () => undefined,
        );
      });
    },
  };
}

interface ProcessOptions {
  readonly settings: Settings<typeof coreSettings>;
  readonly plugins: readonly Plugin[];
  readonly log: Log;
  readonly say: (line: string) => void;
  /** Fulfilled by the first signal to stop. */
  readonly signal: Promise<unknown>;
}

/**
 * Runs until the supervisor says to stop, or a signal does. A signal to the whole group of processes, as from Ctrl-C,
 * reaches the process twice, so only the supervisor's message ends the delay.
 * @throws what startPlatform throws
 */
export async function runProcess({ settings, plugins, log, say, signal }: ProcessOptions): Promise<void> {
  const stopped = Promise.race([receive('stop'), signal]);
  process.on('message', (message: unknown) => {
    if (isToProcess(message) && message.kind === 'ask') void tell({ kind: 'alive' });
  });
  const endDelay = new AbortController();
  void receive('end-delay').then(() => endDelay.abort());
  const started = receive('start');
  await tell({ kind: 'listening' });
  const { databaseUrl, secretKey, description, isFirst } = await started;
  const platform = await startPlatform({
    settings,
    plugins,
    databaseUrl,
    secretKey: Buffer.from(secretKey, 'base64'),
    log,
    metricsOfAll: collector(),
    ...(isFirst ? { progress: say } : { ofRunningNode: true }),
  });
  receive('announce')
    .then(({ processes, seconds }) => announceStart({ platform, description, say, seconds, processes }))
    .catch((error: unknown) => log.error({ err: error }, 'the summary of the start could not be printed'));
  await tell({ kind: 'ready' });
  await stopped;
  await platform.stop(endDelay.signal);
}
