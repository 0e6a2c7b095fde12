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
import { orgRoles } from '../tables/org-member.js';

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
