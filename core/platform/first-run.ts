import { access, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import { firstOwners, accountOpener, keyIssuer, type FirstKeys } from '#core/kernel/ports.js';
import type { Services } from '#core/kernel/services.js';
import { makeFolder } from '#core/runtime/make-folder.js';
import { writeWhole } from '#core/runtime/write-file.js';
import { isDefaultOwner } from '#core/kernel/settings.js';
import { StartError } from './start-error.js';

/**
 * The content of <SVC_STATE_DIR>/first-run.json. Tools rely on this form (docs/architecture.md, Starting and stopping).
 */
export interface FirstRun {
  baseUrl: string;
  accountId: string;
  projectId: string;
  environments: { live: string; test: string };
  keys: { live: FirstKeys; test: FirstKeys };
}

export const firstRunPath = (stateDir: string): string => join(stateDir, 'first-run.json');

/**
 * Opens the deployment's first account, once. The file with its keys is written under a temporary name before the
 * commit and renamed after it: after a crash in between, the next start keeps the file if the commit happened.
 * @returns the keys if this call opened the account
 * @throws StartError if the file cannot be written, and in production if nobody would read the mail to the owner;
 *   nothing is committed then
 */
export async function firstRun(services: Services): Promise<FirstRun | undefined> {
  const { deployment, transaction } = services;
  const path = firstRunPath(deployment.settings.stateDir);
  const temporary = `${path}.new`;
  return transaction('First start', async ({ use, audit, actIn, db }) => {
    const opener = use(accountOpener);
    if (await opener.any()) {
      await recoverTemporaryFile(services, temporary, path, async (id) => (await findEnvironment(db, id)) !== null);
      return undefined;
    }
    if (deployment.production && isDefaultOwner(deployment.settings.ownerEmail) && use(firstOwners).isMailSent())
      throw new StartError(
        'SVC_OWNER_EMAIL is not set, so nobody could sign in: the code would go to an address where nobody reads mail. No account was opened.\n  Set SVC_OWNER_EMAIL to the email address of the first account’s owner, such as ada@example.com.',
      );
    const opened = await opener.open({
      name: 'First account',
      email: deployment.settings.ownerEmail,
      projectName: 'First project',
      proven: true,
      operator: true,
    });
    const { accountId, projectId, live, test } = opened;
    const holder = { permissions: permissionsOf(deployment.products), role: 'owner' as const, memberId: null };
    const keys = {
      live: await use(keyIssuer).issueFirst({ ...holder, environment: live }),
      test: await use(keyIssuer).issueFirst({ ...holder, environment: test }),
    };
    actIn(test);
    const subject = { type: 'account', id: accountId };
    audit({ operation: 'account.signup', subject, summary: 'Opened the first account.' });
    const facts: FirstRun = {
      baseUrl: deployment.baseUrl,
      accountId,
      projectId,
      environments: { live: live.id, test: test.id },
      keys,
    };
    await writeTemporary(deployment.settings.stateDir, temporary, facts).catch((error: unknown) => {
      throw new StartError(
        `The keys of the first account cannot be written to ${path} (${error instanceof Error ? error.message : String(error)}), so no account was opened.\n  Make the folder writable for this user and see that its disk has space, or set SVC_STATE_DIR to another one.`,
        { cause: error },
      );
    });
    return facts;
  }).then(async (facts) => {
    if (facts) await putInPlace(services, temporary, path, facts.accountId);
    return facts;
  });
}

/**
 * Renames the file to first-run.json. An existing file belongs to another database and may be the only copy of its
 * keys, so it is kept under another name.
 */
async function putInPlace({ log }: Services, temporary: string, path: string, accountId: string): Promise<void> {
  const kept = `${path}.before-${accountId}`;
  const moved = await rename(path, kept).then(
    () => true,
    () => false,
  );
  if (moved)
    log.warn({ kept }, 'first-run.json was there with the keys of another database, and is kept under another name');
  await rename(temporary, path);
}

async function writeTemporary(folder: string, temporary: string, facts: FirstRun): Promise<void> {
  await makeFolder(folder);
  await writeWhole(temporary, `${JSON.stringify(facts, null, 2)}\n`);
}

/**
 * Handles a temporary file left by a start that crashed. The file is kept if the account in it exists, and removed if
 * the transaction never committed.
 */
async function recoverTemporaryFile(
  services: Services,
  temporary: string,
  path: string,
  exists: (environmentId: string) => Promise<boolean>,
): Promise<void> {
  const there = await access(temporary).then(
    () => true,
    () => false,
  );
  if (!there) return;
  const facts: unknown = JSON.parse(await readFile(temporary, 'utf8').catch(() => 'null'));
  const environments: unknown =
    typeof facts === 'object' && facts !== null ? Reflect.get(facts, 'environments') : undefined;
  const live: unknown =
    typeof environments === 'object' && environments !== null ? Reflect.get(environments, 'live') : undefined;
  if (typeof live === 'string' && (await exists(live))) await putInPlace(services, temporary, path, live);
  else await rm(temporary);
  services.log.info('recovered the first-run file of a start that had crashed');
}
