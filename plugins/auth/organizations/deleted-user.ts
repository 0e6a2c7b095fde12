import type { Environment } from '#core/kernel/caller/caller.js';
import type { Change, Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { orgMembers, type OrgMemberRow } from '../tables/org-member.js';
import { organizations, type OrganizationRow } from '../tables/organization.js';
import { findUser } from '../users/find.js';
import { deleteOrganization } from './delete-organization.js';
import { endMembership } from './members.js';
import { findMember } from './membership.js';
import { presentMember } from './resources.js';
import { countOwners } from './rules.js';
import { withdrawInvitations } from './withdraw.js';

type RemovalContext = Context<'auth.org.member_updated' | 'auth.org.deleted' | 'auth.org.invite_revoked'>;

/**
 * Locks every organization that a user belongs to, in a fixed order, so that two deletions cannot deadlock.
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
    // The member was removed while this waited for the lock.
    const member = await findMember(db, organization.id, userId);
    if (member) found.push({ organization, member });
  }
  return found;
}

/** Whether the other members of the organization would have no owner without this member. */
export async function leavesNoOwner(
  { db }: Pick<Context, 'db'>,
  { organization, member }: { organization: OrganizationRow; member: OrgMemberRow },
): Promise<boolean> {
  return member.role === 'owner' && organization.memberCount > 1 && (await countOwners(db, organization.id)) < 2;
}

/**
 * Removes a user who is being deleted from a locked organization. If no other owner is left, the admin who joined first
 * becomes the owner, or the member who joined first if nobody is an admin. If no other member is left, the organization
 * is deleted. The user's open invitations to it are withdrawn.
 * @returns the withdrawn invitations, for the audit record
 */
export async function removeDeletedUser(
  context: RemovalContext,
  environment: Environment,
  { organization, member }: { organization: OrganizationRow; member: OrgMemberRow },
): Promise<Change[]> {
  await endMembership(context, member);
  if (organization.memberCount <= 1) {
    await deleteOrganization(context, environment, organization, { userId: member.userId, isErased: true });
    return [];
  }
  if (member.role === 'owner' && (await countOwners(context.db, organization.id)) === 0)
    await promoteSuccessor(context, environment, organization);
  return withdrawInvitations(context, environment, organization.id, member.userId, null);
}

async function promoteSuccessor(
  { db, clock, emit }: RemovalContext,
  environment: Environment,
  { id }: OrganizationRow,
): Promise<void> {
  const [row] = await db.rows<object>(
    `SELECT ${orgMembers.columnList()} FROM auth_org_member WHERE organization_id = ? ORDER BY role = 'admin' DESC, id LIMIT 1`,
    [idBytes(id)],
  );
  if (!row) return;
  const updatedAt = clock.now();
  const successor: OrgMemberRow = { ...orgMembers.decode(row), role: 'owner', updatedAt };
  await db.update(orgMembers, { organizationId: id, userId: successor.userId }, { role: 'owner', updatedAt });
  const user = await findUser(db, environment.id, successor.userId);
  const data = { organizationId: id, member: presentMember(successor, user) };
  emit('auth.org.member_updated', { subjectId: id, personId: successor.userId, data }, environment);
}
