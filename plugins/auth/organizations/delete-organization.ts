import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import type { OrganizationRow } from '../tables/organization.js';
import { presentOrganization } from './present.js';
import { orgRemovalQueue, removeStep } from './removal.js';

/**
 * Deletes a locked organization, and emits auth.org.deleted. From the commit on nobody is a member: every access goes through the
 * organization's row. The members and invitations of a large one are removed in the background (removal.ts).
 */
export async function deleteOrganization(
  { db, clock, emit, wake }: Context<'auth.org.deleted'>,
  environment: Environment,
  organization: OrganizationRow,
): Promise<void> {
  const { id } = organization;
  await db.run('DELETE FROM auth_organization WHERE id = ?', [idBytes(id)]);
  if (await removeStep(db, id)) {
    const work = { id, partitionId: environment.id, lane: 'bulk', dueAt: clock.now() } as const;
    const { sql, parameters } = enqueueStatement(orgRemovalQueue, [work]);
    await db.defer(sql, parameters);
    wake(orgRemovalQueue.name);
  }
  emit('auth.org.deleted', { subjectId: id, data: { organization: presentOrganization(organization) } }, environment);
}
