import type { TenantCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { archiveEnvironments, environmentsOf, unarchiveEnvironments } from '#core/kernel/environment/environment.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { emailOpenWork } from '#plugins/email/ports.js';
import { smsOpenWork } from '#plugins/sms/ports.js';
import type { AccountRow } from '../tables/account.js';
import type { ProjectRow } from '../tables/project.js';
import { openProjects, requireRoom } from './limits.js';

type Changing = Pick<Context, 'db' | 'use' | 'clock'>;

/**
 * Archives a project: its keys are refused, and its messages, runs and imports wait as in a closed account. Call this
 * with the account locked.
 * @throws project_in_use while it has numbers, open broadcasts or active automations, while one of its keys calls, or
 *   if it is the account's only open project
 */
export async function archive({ db, use, clock }: Changing, caller: TenantCaller, project: ProjectRow): Promise<Date> {
  const { name } = project;
  if (caller.kind === 'key' && caller.environment.projectId === project.id)
    throw refusalOf.project_in_use({
      project: name,
      things: 'the key that calls',
      nextStep: 'Call again with a live key of another project of the account, or in a dashboard session.',
    });
  const others = (await openProjects(db, project.accountId)).filter(({ id }) => id !== project.id);
  if (others.length === 0)
    throw refusalOf.project_in_use({
      project: name,
      things: 'the only keys of the account, because all other projects are archived',
      nextStep: 'Create another project with account.project.create first, or close the account with account.close.',
    });
  const environments = (await environmentsOf(db, [project.id])).map(({ id }) => id);
  const open = [...(await use(emailOpenWork).find(environments)), ...(await use(smsOpenWork).find(environments))];
  if (open.length > 0)
    throw refusalOf.project_in_use({
      project: name,
      things: open.map(({ things }) => things).join(', '),
      nextStep: `In both environments of the project, ${open.map(({ nextStep }) => nextStep).join(', ')}. Then archive it again.`,
    });
  const at = clock.now();
  await archiveEnvironments(db, project.id, at);
  return at;
}

/**
 * Ends the archiving: the project's keys work again, and what waited continues as after a closure, unless the account
 * is closed. Call this with the account locked.
 * @throws limit_reached
 */
export async function unarchive({ db, clock }: Changing, account: AccountRow, project: ProjectRow): Promise<void> {
  requireRoom(await openProjects(db, account.id));
  await unarchiveEnvironments(db, project.id, { isClosed: account.closedAt !== null, at: clock.now() });
}
