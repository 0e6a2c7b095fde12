import { lockOne } from '#core/runtime/database/lock-one.js';
import { liveEnvironments } from '#core/kernel/environment/environment.js';
import { defineOperation } from '#core/kernel/operation.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { object, text, uuid } from '#core/kernel/schema/schema.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { dashboardSessions } from '#plugins/auth/ports.js';
import { assertOpenInvitation, invitationLimit, invitationToken } from '../../members/invitation.js';
import { presentMember, exampleMember, Member } from '../../members/resources.js';
import { dashboard } from '../../ports.js';
import { members } from '../../tables/member.js';
import { exampleAccount } from '../../accounts/resources.js';

const acceptedMember = {
  ...exampleMember,
  status: 'active' as const,
  inviteExpiresAt: null,
  acceptedAt: '2026-11-21T08:00:00.000Z',
};

const operation = 'account.member.accept';

export default defineOperation({
  name: operation,
  summary: 'Accepts an invitation and activates the member, for the dashboard session that proves the invited address.',
  description:
    'The session’s user must have proven the invited address and, if the dashboard requires a second factor, have passed one. If the person who accepted repeats the call, it returns the same result; from anyone else, the call is refused with invite_accepted.',
  keywords: 'join team account',
  access: 'public',
  requires: 'auth',
  impact: { retrySafe: true },
  accountWide: true,
  limits: [invitationLimit('20 per IP address in 10 minutes')],
  input: object({
    token: invitationToken,
    accessToken: text('The access token of the dashboard session of the person who accepts.', {
      minLength: 20,
      maxLength: 10_000,
    }),
  }),
  output: object({
    activityId: uuid('The audit record of the acceptance.'),
    member: Member,
    accountId: uuid('The account that the person now has access to.'),
  }),
  errors: [
    'not_found',
    'invite_expired',
    'invite_revoked',
    'invite_accepted',
    'invite_wrong_address',
    'invite_wrong_account',
    'token_invalid',
    'mfa_required',
  ],
  events: ['account.member.accepted'],
  example: {
    input: {
      token: 'svc_iv_9fKqH2v7Lw0XcYt5RbNz8mQaJd3EsPg6UiTo1CkVxWy',
      accessToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTg5MGE1ZCJ9.c2lnbmF0dXJl',
    },
    output: {
      activityId: '01890a5d-ac96-774b-bcce-b302099a8750',
      member: acceptedMember,
      accountId: exampleAccount.id,
    },
  },

  async handle({ token, accessToken }, { db, clock, activityId, use, fail, emit, audit, actIn }) {
    const environment = await use(dashboard).environment();
    const session = environment && (await use(dashboardSessions).find(environment, accessToken));
    if (!session || session.impersonated) throw fail.token_invalid();
    // The operation is public, so the runner has not checked it.
    if (session.lacksRequiredFactor) throw fail.mfa_required({ operation });

    const inviteDigest = sha256(token);
    const before = await lockOne(db, members, { inviteDigest });
    if (!before) throw fail.not_found({ thing: 'invitation', lookup: 'the link in the most recent invitation email' });
    const { id, accountId, email, emailKey, role } = before;
    const has = (addresses: readonly string[]): boolean => addresses.some((each) => mailboxKey(each) === emailKey);
    const subject = { type: 'member', id };
    const [first] = await liveEnvironments(db, accountId);
    if (!first) throw new Error(`The account ${accountId} has no live environment.`);
    actIn(first);

    if (before.status === 'active' && has(session.verifiedEmails)) {
      const unchanged = `${email} has already accepted the invitation.`;
      audit({ subject, summary: unchanged, changes: [], unchanged });
      return { activityId, member: presentMember(before), accountId };
    }
    const now = clock.now();
    assertOpenInvitation(before, now, fail);
    if (!has(session.verifiedEmails))
      throw has(session.unverifiedEmails) ? fail.invite_wrong_account() : fail.invite_wrong_address();

    const change = { status: 'active' as const, acceptedAt: now, provenAt: now, inviteExpiresAt: null };
    // The digest is kept so that a repeated call finds the member. The token is not, because the link is never sent
    // again.
    await db.update(members, { id }, { ...change, inviteSealed: null });
    const member = presentMember({ ...before, ...change });
    audit({
      subject,
      summary: `${email} accepted the invitation and joined as ${role}.`,
      changes: [{ field: 'status', from: 'invited', to: 'active' }],
    });
    emit('account.member.accepted', { subjectId: id, data: { member } });
    return { activityId, member, accountId };
  },
});
