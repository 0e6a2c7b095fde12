import { requireStartable } from '#core/kernel/registry/startable.js';
import { openServices } from '#core/platform/open.js';
import { openState } from '#core/platform/state.js';
import { createLog } from '#core/runtime/log.js';
import { printAnswer } from './run-command.js';
import { serverSettings } from './server-settings.js';

const usage = `Does everything that a start of svc does before it answers calls, then ends: checks the settings and the database, migrates it, and opens the
first account if there is none.

  npm run migrate

It needs the server's SVC_* settings. Stop servers of older versions first: it waits half a minute for them, and is then
refused. Of those that start together, one migrates and the others wait.
`;

/** `npm run migrate`, for systems that migrate in a separate step, such as a Kubernetes job. */
async function migrate(): Promise<string> {
  const { plugins, settings } = await serverSettings();
  requireStartable(settings, plugins);
  const log = createLog('warn', { write: (line) => process.stderr.write(line) });
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  const state = await openState(settings, log, say);
  try {
    const { databaseUrl, secretKey, description } = state;
    const opened = await openServices(
      { settings, plugins, databaseUrl, secretKey, log, progress: say },
      () => undefined,
    );
    await opened.close();
    return `The database belongs to this version: ${description}.`;
  } finally {
    await state.stop();
  }
}

if (process.argv.length > 2) {
  process.stdout.write(usage);
  process.exitCode = process.argv.slice(2).some((word) => word === '--help' || word === '-h') ? 0 : 2;
} else await printAnswer(migrate);
