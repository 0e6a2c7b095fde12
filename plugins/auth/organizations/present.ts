import { jsonRecord } from '#core/runtime/database/json.js';
import type { OrgInviteRow } from '../tables/org-invite.js';
import type { OrgMemberRow } from '../tables/org-member.js';
import type { OrganizationRow } from '../tables/organization.js';
import type { UserRow } from '../tables/user.js';
import type { OrganizationValue, OrgInviteValue, OrgMemberValue } from './resources.js';

/** An organization as replies and events show it. */
export const presentOrganization = (row: OrganizationRow): OrganizationValue => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  logoUrl: row.logoUrl,
  metadata: jsonRecord(row.metadata),
  requireMfa: row.requireMfa,
  memberCount: row.memberCount,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A member as replies and events show them. @param user null for a former member who was deleted */
export const presentMember = (
  row: Pick<OrgMemberRow, 'userId' | 'role' | 'joinedAt'>,
  user: Pick<UserRow, 'email' | 'name'> | null,
): OrgMemberValue => ({
  userId: row.userId,
  email: user?.email ?? null,
  name: user?.name ?? null,
  role: row.role,
  joinedAt: row.joinedAt.toISOString(),
});

/** An invitation as replies and events show it, without its token. */
export const presentInvite = (row: OrgInviteRow): OrgInviteValue => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invitedBy: row.invitedBy,
  expiresAt: row.expiresAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});
