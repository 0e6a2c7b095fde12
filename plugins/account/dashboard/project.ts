import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { createEnvironments, environmentsOf, findEnvironment } from '#core/kernel/environment/environment.js';
import type { WorkerServices } from '#core/kernel/services.js';
import { newId } from '#core/runtime/id.js';
import type { Dashboard } from '../ports.js';
import { emailKeys } from './acting-members.js';
import { dashboardSlug, insertReservedProject } from '../projects/insert-project.js';
import { accounts } from '../tables/account.js';
import { projects } from '../tables/project.js';

/*
 * Members sign in to the dashboard as users of a reserved project in the operator's account. Only its live environment
 * issues dashboard sessions. The project is found by its slug, which is unique in the deployment and which no other
 * project can get.
 */

const authIsOn = ({ products }: { products: readonly string[] }): boolean => products.includes('auth');

/**
 * Creates the reserved project with its environments, if auth is enabled and no earlier start has created it. See
 * `setUp` in the kernel's plugin.ts.
 */
export async function setUpDashboard({ deployment, transaction, log }: WorkerServices): Promise<void> {
  if (!authIsOn(deployment)) return;
  await transaction('Start', async ({ db, clock, audit, actIn }) => {
    if (await db.findOne(projects, { slug: dashboardSlug })) return;
    const account = await db.findOne(accounts, { operator: true });
    if (!account) return;
    const project = { id: newId(), accountId: account.id };
    const createdAt = clock.now();
    await insertReservedProject(db, { ...project, name: 'Dashboard', createdAt });
    const { live } = await createEnvironments(db, { ...project, operator: true }, createdAt);
    actIn(live);
    const subject = { type: 'project', id: project.id };
    audit({ operation: 'account.project.create', subject, summary: 'Added the project that members sign in to.' });
    log.debug({ environmentId: live.id }, 'created the dashboard project');
  });
}

/**
 * By deployment, because a process may run several in tests. An existing environment never changes: its account cannot
 * be closed.
 */
const known = new WeakMap<object, Environment>();

/** See `Dashboard`. */
export function makeDashboard({ db, clock, deployment }: Pick<Context, 'db' | 'clock' | 'deployment'>): Dashboard {
  const environment = async (): Promise<Environment | null> => {
    if (!authIsOn(deployment)) return null;
    const cached = known.get(deployment);
    if (cached) return cached;
    const project = await db.findOne(projects, { slug: dashboardSlug });
    const rows = project ? await environmentsOf(db, [project.id]) : [];
    const live = rows.find(({ kind }) => kind === 'live');
    const found = live ? await findEnvironment(db, live.id) : null;
    if (found) known.set(deployment, found);
    return found;
  };
  return {
    environment,
    async includes({ projectId }) {
      return (await environment())?.projectId === projectId;
    },
    async isInvited(emails) {
      if (emails.length === 0) return false;
      const found = await db.rows(
        "SELECT id FROM account_member WHERE email_key IN (?) AND status = 'invited' AND invite_expires_at > ? LIMIT 1",
        [emailKeys(emails), clock.now()],
      );
      return found.length > 0;
    },
  };
}
