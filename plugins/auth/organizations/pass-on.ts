import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import { orgMembers, type OrgMemberRow } from '../tables/org-member.js';
import { organizations, type OrganizationRow } from '../tables/organization.js';
import { findUser } from '../users/find.js';
import { endMembership } from './members.js';
import { findMember } from './membership.js';
import { presentMember, presentOrganization } from './present.js';
import { orgRemovalQueue, removeStep } from './removal.js';
import { countOwners } from './rules.js';

type PassingContext = Context<'auth.org.member_updated' | 'auth.org.deleted'>;

/**
 * Locks every organization that a user is in, in one order, so that two deletions cannot deadlock.
 * @returns each with the user's row in it
 */
export async function lockOrganizationsOf(
  { db }: Pick<Context, 'db'>,
  userId: string,
): Promise<{ organization: OrganizationRow; member: OrgMemberRow }[]> {
  const memberships = await db.rows<{ organization_id: Buffer }>(
    'SELECT organization_id FROM auth_org_member WHERE user_id = ?',
    [idBytes(userId)],
  );
  if (memberships.length === 0) return [];
  const rows = await db.rows<object>(
    `SELECT ${organizations.columnList()} FROM auth_organization WHERE id IN (?) ORDER BY id FOR UPDATE`,
    [memberships.map((each) => each.organization_id)],
  );
  const found: { organization: OrganizationRow; member: OrgMemberRow }[] = [];
  for (const row of rows) {
    const organization = organizations.decode(row);
    // Removed while this waited for the lock.
    const member = await findMember(db, organization.id, userId);
    if (member) found.push({ organization, member });
  }
  return found;
}

/** Whether others would be left in the organization without an owner if this member went. */
export async function leavesNoOwner(
  { db }: Pick<Context, 'db'>,
  { organization, member }: { organization: OrganizationRow; member: OrgMemberRow },
): Promise<boolean> {
  return member.role === 'owner' && organization.memberCount > 1 && (await countOwners(db, organization.id)) < 2;
}

/**
 * Takes a user who is being deleted out of a locked organization. Without another owner it passes to the longest-standing admin, else member;
 * without another member it is deleted.
 */
export async function passOn(
  context: PassingContext,
  environment: Environment,
  { organization, member }: { organization: OrganizationRow; member: OrgMemberRow },
): Promise<void> {
  await endMembership(context, member);
  if (organization.memberCount <= 1) {
    await deleteOrganization(context, environment, organization);
    return;
  }
  if (member.role === 'owner' && (await countOwners(context.db, organization.id)) === 0)
    await makeSuccessor(context, environment, organization);
}

async function makeSuccessor(
  { db, emit }: PassingContext,
  environment: Environment,
  { id }: OrganizationRow,
): Promise<void> {
  const [row] = await db.rows<object>(
    `SELECT ${orgMembers.columnList()} FROM auth_org_member WHERE organization_id = ? ORDER BY role = 'admin' DESC, id LIMIT 1`,
    [idBytes(id)],
  );
  if (!row) return;
  const heir: OrgMemberRow = { ...orgMembers.decode(row), role: 'owner' };
  await db.update(orgMembers, { organizationId: id, userId: heir.userId }, { role: 'owner' });
  const user = await findUser(db, environment.id, heir.userId);
  const data = { organizationId: id, member: presentMember(heir, user) };
  emit('auth.org.member_updated', { subjectId: id, personId: heir.userId, data }, environment);
}

/**
 * Deletes a locked organization, and emits auth.org.deleted. From the commit on nobody is a member: every access goes through the
 * organization's row. The members and invitations of a large one are removed behind (removal.ts).
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
