import { lockOne } from '#core/runtime/database/lock-one.js';
import type { UserCaller } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { findOwned, lockOwned } from '#core/kernel/environment/owned.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { beforeId, cutPage, type PageRequest } from '#core/kernel/schema/paging.js';
import { named, object, oneOf, type ValueOf } from '#core/kernel/schema/schema.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { orgMembers, type OrgMemberRow, orgRoles, type OrgRole } from '../tables/org-member.js';
import { organizations, type OrganizationRow } from '../tables/organization.js';
import type { SessionRow } from '../tables/session.js';
import { presentOrganization, Organization } from './resources.js';

export const orgRole = oneOf(
  orgRoles,
  'owner: everything; admin: everything except deleting the organization and managing owners; member: read only.',
);

export const OwnMembership = named(
  'OrganizationMembership',
  object(
    { organization: Organization, role: orgRole },
    {
      description: 'One of the user’s organizations, and the user’s role in it.',
      columns: ['organization.id', 'organization.name', 'role', 'organization.slug', 'organization.memberCount'],
    },
  ),
);

/** An organization with a user's role in it. */
interface Membership {
  organization: OrganizationRow;
  role: OrgRole;
}

export const presentMembership = ({ organization, role }: Membership): ValueOf<typeof OwnMembership> => ({
  organization: presentOrganization(organization),
  role,
});

const membershipColumns = `${organizations.columnList('o')}, m.role AS member_role
  FROM auth_org_member m JOIN auth_organization o ON o.id = m.organization_id`;

const decodeMembership = (row: { member_role: Buffer }): Membership => {
  const role = orgRoles.find((each) => each === row.member_role.toString());
  if (!role) throw new Error(`An organization has a member with the role ${row.member_role.toString()}.`);
  return { organization: organizations.decode(row), role };
};

/** A user's organizations, newest first. */
export async function membershipsOf(db: ReadSession, userId: string): Promise<Membership[]> {
  const rows = await db.prepared<{ member_role: Buffer }>(
    `SELECT ${membershipColumns} WHERE m.user_id = ? ORDER BY m.organization_id DESC`,
    [idBytes(userId)],
  );
  return rows.map(decodeMembership);
}

/** One page of a user's organizations. */
export async function membershipPage(
  db: ReadSession,
  userId: string,
  { before, limit }: PageRequest,
): Promise<{ rows: Membership[]; next: string | null }> {
  const found = await db.rows<{ member_role: Buffer; id: Buffer }>(
    `SELECT ${membershipColumns} WHERE m.user_id = ?${before === undefined ? '' : ' AND m.organization_id < ?'}
     ORDER BY m.organization_id DESC LIMIT ?`,
    [idBytes(userId), ...(before === undefined ? [] : [beforeId(before)]), limit + 1],
  );
  const { rows, next } = cutPage(
    found.map((row) => ({ id: idText(row.id), membership: decodeMembership(row) })),
    limit,
  );
  return { rows: rows.map(({ membership }) => membership), next };
}

/**
 * The organization that a session acts for, with the user's current role: null if none is active, or if the user is no
 * longer a member.
 */
export async function activeMembership(
  db: ReadSession,
  { organizationId, userId }: Pick<SessionRow, 'organizationId' | 'userId'>,
): Promise<Membership | null> {
  if (organizationId === null) return null;
  const [row] = await db.prepared<{ member_role: Buffer }>(
    `SELECT ${membershipColumns} WHERE m.organization_id = ? AND m.user_id = ?`,
    [idBytes(organizationId), idBytes(userId)],
  );
  return row ? decodeMembership(row) : null;
}

/** A member's row; null for a person who is not a member. */
export const findMember = (db: ReadSession, organizationId: string, userId: string): Promise<OrgMemberRow | null> =>
  db.findOne(orgMembers, { organizationId, userId });

type Access = 'open' | 'protected';

async function membershipIn(
  db: ReadSession,
  { user }: UserCaller,
  organization: OrganizationRow,
  operation: string,
  access: Access,
): Promise<Membership> {
  const member = await findMember(db, organization.id, user.userId);
  // A person who is not a member gets exactly the same answer as for an unknown id.
  if (!member) throw refusalOf.not_found({ ...organizations.notFound });
  if (access === 'protected' && organization.requireMfa && !user.secondFactor)
    throw refusalOf.mfa_required({ operation });
  return { organization, role: member.role };
}

/**
 * The caller's organization and their role in it, read from the row, because a token may contain an outdated role.
 * @param access protected: an organization that requires a second factor refuses sessions without one
 * @throws not_found for an organization that the caller does not belong to; mfa_required
 */
export async function findOwnOrganization(
  { db, caller }: { db: ReadSession; caller: UserCaller },
  organizationId: string,
  operation: string,
  access: Access = 'protected',
): Promise<Membership> {
  const organization = await findOwned(db, organizations, caller, organizationId);
  return membershipIn(db, caller, organization, operation, access);
}

/**
 * The same, with the organization locked until the transaction ends, so that changes to members and invitations run one
 * after the other.
 * @throws not_found, mfa_required
 */
export async function lockOwnOrganization(
  { db, caller }: Pick<Context, 'db'> & { caller: UserCaller },
  organizationId: string,
  operation: string,
  access: Access = 'protected',
): Promise<Membership> {
  const organization = await lockOwned(db, organizations, caller, organizationId);
  return membershipIn(db, caller, organization, operation, access);
}

/**
 * A member's role. The member's row is locked until the transaction ends, but the organization is not.
 * @throws not_found if the user is no longer a member
 */
export async function lockRole(db: Session, organizationId: string, userId: string): Promise<OrgRole> {
  const row = await lockOne(db, orgMembers, { organizationId, userId });
  if (!row) throw refusalOf.not_found({ ...organizations.notFound });
  return row.role;
}
