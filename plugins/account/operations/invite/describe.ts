import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, list, nullable, object, text } from '#core/kernel/schema/schema.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { invitationLimit, invitationToken, assertOpenInvitation } from '../../members/invitation.js';
import { accounts } from '../../tables/account.js';
import { members } from '../../tables/member.js';
import { exampleAccount } from '../../accounts/resources.js';
import { exampleMember, role as anyRole } from '../../members/resources.js';

export default defineOperation({
  name: 'account.invite.describe',
  summary: 'Returns the details of the invitation that a token belongs to, without using the token.',
  access: 'public',
  impact: { read: true, retrySafe: true },
  limits: [invitationLimit('20 per IP address in 10 minutes, shared with accepting invitations')],
  accountWide: true,
  input: object({ token: invitationToken }),
  output: object({
    accountName: text('The account to join.'),
    email: text('The invited address.'),
    role: anyRole,
    permissions: nullable(list(text(), 'The only permissions of the role that the member gets; null for all of them.')),
    invitedBy: nullable(text('The address of the member who sent the invitation.')),
    expiresAt: dateTime('When the invitation expires.'),
  }),
  errors: ['not_found', 'invite_expired', 'invite_revoked', 'invite_accepted'],
  example: {
    input: { token: 'svc_iv_9fKqH2v7Lw0XcYt5RbNz8mQaJd3EsPg6UiTo1CkVxWy' },
    output: {
      accountName: exampleAccount.name,
      email: exampleMember.email,
      role: exampleMember.role,
      permissions: exampleMember.permissions,
      invitedBy: exampleMember.invitedBy,
      expiresAt: exampleMember.inviteExpiresAt,
    },
  },

  async handle({ token }, { db, clock, fail }) {
    const member = await db.findOne(members, { inviteDigest: sha256(token) });
    const account = member && (await db.findOne(accounts, { id: member.accountId }));
    if (!account) throw fail.not_found({ thing: 'invitation', lookup: 'the link in the most recent invitation email' });
    const { email, role, permissions, invitedBy } = member;
    const expiresAt = assertOpenInvitation(member, clock.now(), fail);
    return { accountName: account.name, email, role, permissions, invitedBy, expiresAt: expiresAt.toISOString() };
  },
});
