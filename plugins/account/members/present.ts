import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { MemberRow } from '../tables/member.js';
import type { Member } from './resources.js';

/** A member as replies and events show it, without the invitation's token. */
export const presentMember = (row: MemberRow): ValueOf<typeof Member> => ({
  id: row.id,
  email: row.email,
  role: row.role,
  status: row.status,
  invitedBy: row.invitedBy,
  inviteExpiresAt: row.inviteExpiresAt?.toISOString() ?? null,
  acceptedAt: row.acceptedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});
