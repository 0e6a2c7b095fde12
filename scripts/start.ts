import { SettingsError } from '#config/read.js';
import { RegistryError } from '#core/kernel/registry/registry.js';
import { startPlatform } from '#core/platform/platform.js';
import { requireStartable } from '#core/kernel/registry/startable.js';
import { requireFreePorts } from '#core/platform/start-checks.js';
import { StartError } from '#core/platform/start-error.js';
import { openState } from '#core/platform/state.js';
import { largestTables } from '#core/runtime/database/server/table-sizes.js';
import { createLog } from '#core/runtime/log.js';
import { announce } from './announce.js';
import { serverSettings } from './server-settings.js';

/**
 * `npm start`. SIGTERM and SIGINT stop it gracefully: accept no more requests, finish running ones, release leases,
 * exit with 0.
 */
async function main(): Promise<void> {
  const began = performance.now();
  // Set before a thread starts. The `date` filter of templates uses the time zone of the process: in a zone with
  // daylight saving time, it would be an hour off around each clock change.
  process.env['TZ'] = 'UTC';
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  const { plugins, settings } = await serverSettings();
  const log = createLog(settings.core.logLevel);
  requireStartable(settings, plugins);
  await requireFreePorts(settings, plugins);
  const state = await openState(settings, log, say);
  try {
    const platform = await startPlatform({
      settings,
      plugins,
      databaseUrl: state.databaseUrl,
      secretKey: state.secretKey,
      log,
      progress: say,
    });
    const seconds = (performance.now() - began) / 1000;
    const { database, clock } = platform.services;
    const tables = await largestTables(database, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'reading how large the tables are failed');
      return undefined;
    });
    announce({ platform, state, say, seconds, tables });
    const endDelay = new AbortController();
    const signal = await new Promise<string>((resolve) => {
      let isFirst = true;
      const receive = (name: string): void => {
        if (isFirst) resolve(name);
        else endDelay.abort();
        isFirst = false;
      };
      process.on('SIGTERM', receive).on('SIGINT', receive);
    });
    const { stopDelaySeconds } = settings.core;
    const delay = stopDelaySeconds === 0 ? '' : `answering for another ${stopDelaySeconds} s, then `;
    say(`${signal}: ${delay}finishing what is running …`);
    await platform.stop(endDelay.signal);
  } finally {
    await state.stop();
  }
  say('Stopped.');
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
  process.stderr.write(`svc cannot start:${message.includes('\n') ? '\n' : ' '}${message}\n`);
  process.exit(1);
}
