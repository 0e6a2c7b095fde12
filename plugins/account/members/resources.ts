import { roles } from '#core/kernel/caller/caller.js';
import {
  dateTime,
  email,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { memberStatuses, type MemberRow } from '../tables/member.js';

export const role = oneOf(
  roles,
  'What the member may do. owner: everything. admin: everything except what only owners may do, such as closing the account. developer: reads everything and writes auth, email, sms, audience and developers. viewer: reads everything.',
);
export const memberStatus = oneOf(
  memberStatuses,
  'invited: has not accepted yet; active: may use the account; removed: no longer has access, or the invitation was withdrawn.',
);

export const Member = named(
  'Member',
  object(
    {
      id: uuid('The member’s id.'),
      email: email('The invited address.'),
      role,
      permissions: nullable(
        list(text(), 'The only permissions of the role that the member has; null if the member has all of them.'),
      ),
      status: memberStatus,
      invitedBy: nullable(text('The inviting member’s address; null if a key of the account sent the invitation.')),
      inviteExpiresAt: nullable(dateTime('When the invitation expires; null once it is accepted.')),
      acceptedAt: nullable(dateTime('When the invitation was accepted.')),
      createdAt: dateTime('When the member was invited.'),
      updatedAt: dateTime('When the role or the permissions were changed last.'),
    },
    { description: 'A member of the account, or an invitation to join it.' },
  ),
);

export const exampleMember = {
  id: '01890a5d-ac96-774b-bcce-b302099a8200',
  email: 'ada@example.com',
  role: 'developer' as const,
  permissions: null,
  status: 'invited' as const,
  invitedBy: 'owner@example.com',
  inviteExpiresAt: '2026-11-27T09:30:00.000Z',
  acceptedAt: null,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

/** When the role or the permissions changed last, for `ifUnchangedSince`. */
export const grantTime = ({ updatedAt, createdAt }: MemberRow): { updatedAt: Date } => ({
  updatedAt: updatedAt ?? createdAt,
});

/** A member as replies and events show it, without the invitation's token. */
export const presentMember = (row: MemberRow): ValueOf<typeof Member> => ({
  id: row.id,
  email: row.email,
  role: row.role,
  permissions: row.permissions,
  status: row.status,
  invitedBy: row.invitedBy,
  inviteExpiresAt: row.inviteExpiresAt?.toISOString() ?? null,
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: grantTime(row).updatedAt.toISOString(),
});
