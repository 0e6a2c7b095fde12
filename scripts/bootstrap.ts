import { parseArgs } from 'node:util';
import { coreSettings } from '#config/core.js';
import { readSettings } from '#config/read.js';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { findPlugins } from '#core/kernel/find-plugins.js';
import { accountOpener, keyIssuer } from '#core/kernel/ports.js';
import { openServices } from '#core/platform/open.js';
import { openState } from '#core/platform/state.js';
import { createLog } from '#core/runtime/log.js';

const usage = `Opens another account, whose owner's address counts as verified, and prints its keys once as JSON.

  npm run bootstrap -- --name "Acme" --email owner@example.com [--project "Shop"]

It needs the same SVC_* settings as the server, which may be running.
`;

interface Wanted {
  name: string;
  email: string;
  project: string;
}

function wanted(): Wanted | undefined {
  const { values } = parseArgs({
    options: { name: { type: 'string' }, email: { type: 'string' }, project: { type: 'string' } },
  });
  const { name, email, project } = values;
  return name && email ? { name, email, project: project ?? name } : undefined;
}

async function openAccount({ name, email, project }: Wanted): Promise<unknown> {
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
      return await services.transaction('npm run bootstrap', async ({ use, actIn, audit }) => {
        const opened = await use(accountOpener).open({
          name,
          email,
          projectName: project,
          proven: true,
          operator: false,
        });
        const { accountId, projectId, live, test } = opened;
        const holder = {
          permissions: permissionsOf(services.deployment.products),
          role: 'owner' as const,
          memberId: null,
        };
        const keys = {
          live: await use(keyIssuer).issueFirst({ ...holder, environment: live }),
          test: await use(keyIssuer).issueFirst({ ...holder, environment: test }),
        };
        actIn(test);
        audit({
          operation: 'account.signup',
          subject: { type: 'account', id: accountId },
          summary: `Opened the account “${name}”.`,
        });
        return { accountId, projectId, environments: { live: live.id, test: test.id }, keys };
      });
    } finally {
      await close();
    }
  } finally {
    await state.stop();
  }
}

const asked = wanted();
if (!asked) {
  process.stderr.write(usage);
  process.exit(2);
}
try {
  process.stdout.write(`${JSON.stringify(await openAccount(asked), null, 2)}\n`);
} catch (error) {
  process.stderr.write(
    error instanceof SvcError
      ? `${error.message}\n${error.fix}\n`
      : `${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
