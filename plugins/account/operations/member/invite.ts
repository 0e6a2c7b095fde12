import { changesBetween, newFields } from '#core/kernel/audit/changes.js';
import { updateTime } from '#core/kernel/audit/unchanged.js';
import { defineOperation } from '#core/kernel/operation.js';
import { email as address, object, optional, withDefault } from '#core/kernel/schema/schema.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { newId } from '#core/runtime/id.js';
import { keyIssuer } from '#core/kernel/ports.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { lockAccount } from '../../tables/account.js';
import { hasExpired, inviteLimits, newInvitation, renewedInvitation } from '../../members/invitation.js';
import { invitationMail } from '../../members/invite-mail.js';
import { narrowed, narrowedInput } from '../../members/narrowed.js';
import { assertHoldsGrants, hasProvenOwner } from '../../members/rules.js';
import { members, type MemberRow } from '../../tables/member.js';
import { projects } from '../../tables/project.js';
import { presentMember, exampleMember, grantTime, Member, role as anyRole } from '../../members/resources.js';

export default defineOperation({
  name: 'account.member.invite',
  summary: 'Invites an address, or resends the invitation if the address is already invited.',
  description:
    'The link works for 7 days after it was last sent. Inviting the address again resends the same link, or a new one if it has expired; a different role, and different permissions, replace the previous ones. Requires an account with an owner whose address is proven.',
  keywords: 'colleague teammate coworker team add user',
  access: 'secret',
  accountWide: true,
  limits: inviteLimits,
  input: object({
    email: address('The address to invite.'),
    role: withDefault(anyRole, 'developer'),
    permissions: optional(
      narrowedInput(
        'The only permissions of the role that the member gets, such as email:read and email:write. By default, all that the role holds. Not for owners.',
      ),
    ),
  }),
  output: object({ member: Member }),
  errors: [
    'owner_only',
    'permission_exceeds_caller',
    'member_exists',
    'identity_unverified',
    'auth_send_limited',
    'account_closed',
    'provider_not_configured',
  ],
  events: ['account.member.invited', 'account.member.invite_resent'],
  example: { input: { email: exampleMember.email, role: 'developer' }, output: { member: exampleMember } },

  async handle(
    { email, role, permissions: wanted },
    { db, caller: stale, clock, vault, deployment, use, fail, emit, audit },
  ) {
    const { accountId } = stale.environment;
    const key = mailboxKey(email);
    const account = await lockAccount(db, stale);
    const caller = await use(keyIssuer).reloadCaller(stale, {
      operation: 'account.member.invite',
      permission: 'account:write',
    });
    if (caller.environment.archivedAt) throw refusalOf.project_archived();
    if (account.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    const before = await db.findOne(members, { accountId, emailKey: key });
    if (before?.status === 'active') throw fail.member_exists({ email });
    const open = before?.status === 'invited' ? before : null;
    const now = clock.now();
    // An expired invitation gives nobody a role, so an admin may replace an owner's.
    const permissions = narrowed(role, wanted ?? null, deployment.products);
    const granted = { role, permissions };
    const affected = open && !hasExpired(open, now) ? [open, granted] : [granted];
    assertHoldsGrants(caller, affected, deployment.products, fail);
    if (!(await hasProvenOwner(db, accountId)))
      throw fail.identity_unverified({
        problem: 'No owner of the account has proven their address yet',
        nextStep: 'Let an owner sign in to the dashboard once, then call again.',
      });

    const inviter = caller.memberId === null ? null : await db.findOne(members, { id: caller.memberId, accountId });
    const id = before?.id ?? newId();
    const { token, fields } = open ? renewedInvitation(vault, open, now) : newInvitation(vault, id, now);
    const isRegranted = before && changesBetween(before, { ...before, ...granted }, ['role', 'permissions']).length > 0;
    const after: MemberRow = {
      ...fields,
      id,
      accountId,
      email,
      emailKey: key,
      role,
      permissions,
      status: 'invited',
      // A key invites in the name of the member who created it. A key that belongs only to the account invites in
      // nobody's name.
      invitedBy: inviter?.email ?? null,
      inviterId: inviter?.id ?? null,
      acceptedAt: null,
      provenAt: null,
      createdAt: before?.createdAt ?? now,
      updatedAt: before && (isRegranted ? updateTime(grantTime(before), now) : before.updatedAt),
    };
    if (!before) await db.insert(members, after);
    // Accepting does not lock the account: a person who has accepted in the meantime stays a member.
    else if ((await db.update(members, { id, status: before.status }, after)) === 0)
      throw fail.member_exists({ email });

    const locale = (await db.findOne(projects, { id: caller.environment.projectId }))?.locale ?? 'en';
    const mail = invitationMail({ account, member: after, token, locale, baseUrl: deployment.baseUrl });
    await use(transactionalMail).queue(caller.environment, mail);
    const member = presentMember(after);
    audit({
      subject: { type: 'member', id },
      summary: open ? `Resent the invitation of ${email} as ${role}.` : `Invited ${email} as ${role}.`,
      changes: open
        ? changesBetween(presentMember(open), member, ['role', 'permissions', 'invitedBy', 'inviteExpiresAt'])
        : newFields(member, ['role', 'permissions']),
      unchanged: `resent the same invitation of ${email} as ${role}.`,
    });
    emit(open ? 'account.member.invite_resent' : 'account.member.invited', { subjectId: id, data: { member } });
    return { member };
  },
});
