import { parseArgs } from 'node:util';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { bouncedMail } from '#plugins/audience/ports.js';
import { accountOpener, keyIssuer } from '#core/kernel/ports.js';
import type { Services } from '#core/kernel/services.js';
import { isId } from '#core/runtime/id-form.js';
import { runScript, whatItNeeds, type Command } from './run-command.js';

const usage = `Opens another account, whose owner's address counts as verified, and prints its keys once as JSON:

  npm run bootstrap -- --name "Acme" --email owner@example.com [--project "Shop"]

Lets the dashboard send sign-in mail again to an address that bounced:

  npm run bootstrap -- --unsuppress owner@example.com

Gives a secret key the permissions of products that were enabled after it was created (\`svc developers key current\` shows its id):

  npm run bootstrap -- --grant <key id>

${whatItNeeds}`;

interface Wanted {
  name: string;
  email: string;
  project: string;
}

function wanted(): Command | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { name: text, email: text, project: text, unsuppress: text, grant: text } });
  const { name, email, project, unsuppress, grant } = values;
  const isOpening = name !== undefined || email !== undefined || project !== undefined;
  if (grant) return isOpening || unsuppress !== undefined ? undefined : (services) => grantAll(services, grant);
  if (unsuppress) return isOpening ? undefined : (services) => allowAgain(services, unsuppress);
  if (!name || !email) return undefined;
  return async (services) =>
    JSON.stringify(await openAccount(services, { name, email, project: project ?? name }), null, 2);
}

async function grantAll({ transaction }: Services, keyId: string): Promise<string> {
  const granted = isId(keyId)
    ? await transaction('npm run bootstrap', ({ use }) => use(keyIssuer).grantAll(keyId))
    : null;
  if (!granted) throw new Error(`There is no secret key with the id ${keyId} that is in use.`);
  return `The key “${granted.name}” holds ${granted.permissions.join(', ')}.`;
}

async function allowAgain({ deployment, transaction }: Services, address: string): Promise<string> {
  if (!['audience', 'auth', 'email'].every((product) => deployment.products.includes(product)))
    throw new Error('Sign-in email is not enabled: add auth and email to SVC_PRODUCTS.');
  const wasSuppressed = await transaction('npm run bootstrap', ({ use }) => use(bouncedMail).allowInDashboard(address));
  if (wasSuppressed === null)
    throw new Error('The dashboard does not exist yet: start the server once, then run this again.');
  return wasSuppressed
    ? `Sign-in mail of the dashboard is sent to ${address} again.`
    : `The dashboard's sign-in mail to ${address} is not suppressed by a bounce. Nothing was changed.`;
}

function openAccount({ deployment, transaction }: Services, { name, email, project }: Wanted): Promise<unknown> {
  return transaction('npm run bootstrap', async ({ use, actIn, audit }) => {
    const opened = await use(accountOpener).open({
      name,
      email,
      projectName: project,
      proven: true,
      operator: false,
    });
    const { accountId, projectId, live, test } = opened;
    const holder = { permissions: permissionsOf(deployment.products), role: 'owner' as const, memberId: null };
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
}

await runScript(usage, wanted);
