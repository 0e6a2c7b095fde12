import type { Settings } from '#config/read.js';
import type { Plugin } from '#core/kernel/plugin.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import type { Services } from '#core/kernel/services.js';
import { openServices } from '#core/platform/open.js';
import { joinSettings } from '#core/platform/recorded-settings.js';
import { openState } from '#core/platform/state.js';
import type { coreSettings } from '#core/kernel/settings.js';
import { createLog, type Log } from '#core/runtime/log.js';
import { serverSettings } from './server-settings.js';

/**
 * A command that an operator runs on the server's machine while svc may be serving.
 * @param plugins the enabled products
 * @returns what to print
 */
export type Command = (services: Services, plugins: readonly Plugin[]) => Promise<string>;

/** The end of the usage text of every such script. */
export const whatItNeeds = `It needs SVC_STATE_DIR, or SVC_DATABASE_URL and SVC_SECRET_KEY, as the server has them; the server may be running. Its address, products and mail
domain are those of the server's last start.
`;

async function withServices(command: Command): Promise<string> {
  const { plugins, settings: own } = await serverSettings();
  const log = createLog('warn', { write: (line) => process.stderr.write(line) });
  const state = await openState(own, log, (line) => process.stderr.write(`${line}\n`), { joining: true });
  try {
    const settings = await joinSettings(own, plugins, { databaseUrl: state.databaseUrl, environment: process.env });
    const { services, registry, close } = await openServices(
      { settings, plugins, databaseUrl: state.databaseUrl, secretKey: state.secretKey, log, joining: true },
      () => undefined,
    );
    try {
      return await command(services, registry.plugins);
    } finally {
      await close();
    }
  } finally {
    await state.stop();
  }
}

/**
 * Reads the command that a script's arguments name and runs it. Prints the usage if they request it (`--help`), name no
 * command, or have unknown options (exit code 2).
 */
export async function runScript(usage: string, wanted: () => Command | undefined): Promise<void> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(usage);
    return;
  }
  const command = read(wanted);
  if (typeof command === 'function') return runCommand(command);
  process.stderr.write(`${command === undefined ? '' : `${command}\n\n`}${usage}`);
  process.exitCode = 2;
}

/** The command; a sentence about what is wrong with the arguments; or undefined if they name none. */
function read(wanted: () => Command | undefined): Command | string | undefined {
  try {
    return wanted();
  } catch (error) {
    // The first sentence names the option; the rest is about the command lines of Node.
    if (error instanceof TypeError) return error.message.split(/(?<=\.) /)[0];
    throw error;
  }
}

/** Runs a command on the deployment that the SVC_* settings name. */
const runCommand = (command: Command): Promise<void> => printAnswer(() => withServices(command));

/** What a command on a stopped deployment gets. */
interface Alone {
  readonly settings: Settings<typeof coreSettings>;
  readonly log: Log;
  readonly progress: (line: string) => void;
}

/** Runs a command without arguments on a deployment whose svc is stopped, or prints the usage. */
export async function runAlone(usage: string, work: (alone: Alone) => Promise<string>): Promise<void> {
  const [word] = process.argv.slice(2);
  if (word === '--help' || word === '-h') process.stdout.write(usage);
  else if (word !== undefined) {
    process.stderr.write(usage);
    process.exitCode = 2;
  } else
    await printAnswer(async () => {
      const { settings } = await serverSettings();
      const log = createLog('warn', { write: (line) => process.stderr.write(line) });
      return work({ settings, log, progress: (line) => process.stderr.write(`${line}\n`) });
    });
}

/** Prints the result of `work`, or why it failed (exit code 1). */
export async function printAnswer(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    process.stderr.write(
      error instanceof SvcError
        ? `${error.message}\n${error.fix}\n`
        : `${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
