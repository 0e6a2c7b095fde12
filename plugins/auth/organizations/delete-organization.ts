import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { erasure } from '#core/kernel/ports.js';
import { idBytes } from '#core/runtime/id.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import type { OrganizationRow } from '../tables/organization.js';
import { presentOrganization } from './resources.js';
import { orgRemovalQueue, removeStep } from './removal.js';

/**
 * Deletes a locked organization, and emits auth.org.deleted. After the commit it has no members, because every access
 * goes through the organization's row. The members and invitations of a large organization are removed in the
 * background (removal.ts).
 * @param last the user who was its only member, and whether that user is being erased: what is known of the
 *   organization is erased with them, and the event contains its name only if they are not being erased
 */
export async function deleteOrganization(
  { db, clock, emit, wake, use }: Context<'auth.org.deleted'>,
  environment: Environment,
  organization: OrganizationRow,
  last?: { userId: string; isErased: boolean },
): Promise<void> {
  const { id } = organization;
  await db.run('DELETE FROM auth_organization WHERE id = ?', [idBytes(id)]);
  if (await removeStep(db, id)) {
    const work = { id, partitionId: environment.id, lane: 'bulk', dueAt: clock.now() } as const;
    await db.defer(enqueueStatement(orgRemovalQueue, [work]));
    wake(orgRemovalQueue.name);
  }
  if (last) await use(erasure).attribute({ environment, personId: last.userId }, { type: 'organization', ids: [id] });
  const shown = last?.isErased === true ? withoutName(organization) : organization;
  const personId = last?.isErased === false ? { personId: last.userId } : {};
  const data = { organization: presentOrganization(shown) };
  emit('auth.org.deleted', { subjectId: id, ...personId, data }, environment);
}

/** What remains of an organization whose only member is erased. */
const withoutName = (organization: OrganizationRow): OrganizationRow => ({
  ...organization,
  name: 'Erased organization',
  slug: organization.id,
  logoUrl: null,
  metadata: '{}',
});
