import {
  anything,
  boolean,
  count,
  dateTime,
  map,
  named,
  nullable,
  object,
  oneOf,
  text,
  url,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { orgRoles, type OrgMemberRow } from '../tables/org-member.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import type { OrgInviteRow } from '../tables/org-invite.js';
import type { OrganizationRow } from '../tables/organization.js';
import type { UserRow } from '../tables/user.js';

export const Organization = named(
  'Organization',
  object(
    {
      id: uuid('The organization’s id.'),
      name: text('Its name.'),
      slug: text('Its name in URLs, unique in the environment.'),
      logoUrl: nullable(url('Its logo.')),
      metadata: map(anything(), 'Metadata that its owners and admins maintain.'),
      requireMfa: boolean('Whether members need a session that passed a second factor.'),
      memberCount: count('The number of members.'),
      createdAt: dateTime('When it was created.'),
      updatedAt: dateTime('When it last changed.'),
    },
    { description: 'An organization of users.' },
  ),
);

export const OrgMember = named(
  'OrgMember',
  object(
    {
      userId: uuid('The user.'),
      email: nullable(text('The user’s primary address.')),
      name: nullable(text('The user’s name.')),
      role: oneOf(orgRoles, 'What the member may do.'),
      joinedAt: dateTime('When the user joined.'),
      updatedAt: dateTime('When the role was changed last.'),
    },
    { description: 'A member of an organization.' },
  ),
);

export const OrgInvite = named(
  'OrgInvite',
  object(
    {
      id: uuid('The invitation’s id.'),
      email: text('The invited address.'),
      role: oneOf(orgRoles, 'The role that the person will have.'),
      invitedBy: uuid('The user who sent the invitation.'),
      expiresAt: dateTime('When it expires.'),
      createdAt: dateTime('When it was first sent.'),
      acceptedAt: nullable(dateTime('When it was accepted.')),
      revokedAt: nullable(dateTime('When it was withdrawn.')),
    },
    { description: 'An invitation to an organization.' },
  ),
);

export type OrganizationValue = ValueOf<typeof Organization>;
export type OrgMemberValue = ValueOf<typeof OrgMember>;
export type OrgInviteValue = ValueOf<typeof OrgInvite>;

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
  row: Pick<OrgMemberRow, 'userId' | 'role' | 'joinedAt'> & Partial<Pick<OrgMemberRow, 'updatedAt'>>,
  user: Pick<UserRow, 'email' | 'name'> | null,
): OrgMemberValue => ({
  userId: row.userId,
  email: user?.email ?? null,
  name: user?.name ?? null,
  role: row.role,
  joinedAt: row.joinedAt.toISOString(),
  updatedAt: (row.updatedAt ?? row.joinedAt).toISOString(),
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
