import { coreSettings } from '#config/core.js';
import { readSettings } from '#config/read.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { findPlugins } from '#core/kernel/find-plugins.js';
import type { Services } from '#core/kernel/services.js';
import { openServices } from '#core/platform/open.js';
import { openState } from '#core/platform/state.js';
import { createLog } from '#core/runtime/log.js';

/** What an operator runs on the server's machine, which may be serving meanwhile. @returns what to print */
export type Command = (services: Services) => Promise<string>;

async function withServices(command: Command): Promise<string> {
  const plugins = await findPlugins();
  const groups = plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []));
  const settings = readSettings(coreSettings, groups, process.env);
  const log = createLog('warn', { write: (line) => process.stderr.write(line) });
  const state = await openState(settings, log, (line) => process.stderr.write(`${line}\n`), { joining: true });
  try {
    const { services, close } = await openServices(
      { settings, plugins, databaseUrl: state.databaseUrl, rootKey: state.rootKey, log },
      () => undefined,
    );
    try {
      return await command(services);
    } finally {
      await close();
    }
  } finally {
    await state.stop();
  }
}

/** Runs a command on the deployment that the SVC_* settings name, and prints what it answers, or why it failed (exit code 1). */
export async function runCommand(command: Command): Promise<void> {
  try {
    process.stdout.write(`${await withServices(command)}\n`);
  } catch (error) {
    process.stderr.write(
      error instanceof SvcError
        ? `${error.message}\n${error.fix}\n`
        : `${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
