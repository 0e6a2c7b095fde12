import { environmentsOf } from '#core/kernel/environment/environment.js';
import type { OpenedAccount } from '#core/kernel/ports.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Account, Environment, Project } from '../resources.js';
import { accounts } from '../tables/account.js';
import { projects } from '../tables/project.js';
import { presentAccount, presentEnvironment, presentProject } from './present.js';

/** An account that was just opened, as signup answers it. */
export async function showOpened(
  db: Session,
  { accountId, projectId }: OpenedAccount,
): Promise<{
  account: ValueOf<typeof Account>;
  project: ValueOf<typeof Project>;
  environments: ValueOf<typeof Environment>[];
}> {
  const account = await db.findOne(accounts, { id: accountId });
  const project = await db.findOne(projects, { id: projectId });
  if (!account || !project) throw new Error('An account that was just opened is not there.');
  const environments = await environmentsOf(db, [projectId]);
  return {
    account: presentAccount(account),
    project: presentProject(project),
    environments: environments.map(presentEnvironment),
  };
}
