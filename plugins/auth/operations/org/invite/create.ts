import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { email as address, object, optional, url, withDefault } from '#core/kernel/schema/schema.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { transactionalMail } from '#plugins/email/ports.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { exampleOrganization, exampleOrgInvite } from '../../../examples.js';
import { emailIdentity } from '../../../identities/normalize.js';
import { requireOrganizations } from '../../../organizations/enabled.js';
import { organizationId } from '../../../organizations/input.js';
import { hasExpired, inviteLimits, newToken, renewedToken } from '../../../organizations/invitation.js';
import { invitationMail } from '../../../organizations/invite-mail.js';
import { findMember, lockOwnOrganization, orgRole } from '../../../organizations/membership.js';
import { presentInvite, OrgInvite } from '../../../organizations/resources.js';
import { assertMayActOn } from '../../../organizations/rules.js';
import { loadSettings } from '../../../settings/load.js';
import { hostedPages, requireRedirect } from '../../../settings/redirects.js';
import { orgInvites, type OrgInviteRow } from '../../../tables/org-invite.js';
import { bannedRefusal, isBanned } from '../../../users/ban.js';
import { findIdentity, findUser } from '../../../users/find.js';

export default defineOperation({
  name: 'auth.org.invite.create',
  summary: 'Invites an address to the organization, or resends the invitation if the address is already invited.',
  description:
    'For owners and admins; only an owner can invite an owner. The link works for 7 days after it was last sent. Inviting the address again resends the same link, or a new one if it has expired; a different role replaces the previous one.',
  keywords: 'add member colleague teammate team',
  access: 'user',
  needs: { notImpersonated: true },
  limits: inviteLimits,
  input: object({
    accessToken,
    organizationId,
    email: address('The address to invite.'),
    role: withDefault(orgRole, 'member'),
    redirectTo: optional(
      url(
        'Where the hosted page continues after the invitation is accepted. Must be one of the environment’s redirect URLs.',
      ),
    ),
  }),
  output: object({ invite: OrgInvite }),
  errors: [
    'feature_disabled',
    'org_role_required',
    'org_member_exists',
    'auth_send_limited',
    'account_closed',
    'redirect_not_allowed',
    'provider_not_configured',
  ],
  events: ['auth.org.invited'],
  example: {
    input: {
      accessToken: exampleAccessToken,
      organizationId: exampleOrganization.id,
      email: exampleOrgInvite.email,
    },
    output: { invite: exampleOrgInvite },
  },

  async handle({ organizationId: id, email, role, redirectTo }, context) {
    await requireOrganizations(context);
    const { db, caller, clock, vault, deployment, use, emit, audit, fail } = context;
    const { environment } = caller;
    const { organization, role: own } = await lockOwnOrganization(context, id, 'auth.org.invite.create');
    const { key, value } = emailIdentity(email);
    const open = await db.findOne(orgInvites, { organizationId: id, openKey: key });
    const now = clock.now();
    // An expired invitation gives nobody a role, so an admin may replace an owner's.
    assertMayActOn(own, open && !hasExpired(open, now) ? [open.role, role] : [role], fail);
    if (environment.closedAt) throw fail.account_closed({ reopen: 'account.reopen' });
    if (redirectTo !== undefined)
      requireRedirect(context, environment, await loadSettings(db, environment.id), redirectTo);
    const identity = await findIdentity(db, environment.id, { kind: 'email', key });
    const owner = identity?.verifiedAt ? identity.userId : null;
    if (owner !== null && (await findMember(db, id, owner))) throw fail.org_member_exists({ email: value });

    const inviter = await findUser(db, environment.id, caller.user.userId);
    // The user was banned while this waited for the organization: a ban withdraws only the invitations that it finds.
    if (inviter && isBanned(inviter, now)) throw bannedRefusal();
    const inviteId = open?.id ?? newId();
    const { token, fields } = open ? renewedToken(vault, open, now) : newToken(vault, inviteId, now);
    const row: OrgInviteRow = {
      id: inviteId,
      environmentId: environment.id,
      organizationId: id,
      email: value,
      emailKey: key,
      openKey: key,
      role,
      ...fields,
      invitedBy: caller.user.userId,
      redirectTo: redirectTo ?? open?.redirectTo ?? null,
      createdAt: open?.createdAt ?? now,
      acceptedAt: null,
      acceptedBy: null,
      revokedAt: null,
    };
    if (!open) await db.insert(orgInvites, row);
    else if ((await db.update(orgInvites, { id: inviteId }, row)) === 0)
      throw new RetryTransaction('The expired invitation was deleted while it was being renewed.');

    const known = identity && (await findUser(db, environment.id, identity.userId));
    const mail = invitationMail({
      invite: row,
      organizationName: organization.name,
      invitedBy: inviter?.name ?? inviter?.email ?? caller.user.label,
      token,
      pages: hostedPages(deployment, environment.id),
      known,
    });
    await use(transactionalMail).queue(environment, mail);
    const invite = presentInvite(row);
    // Without the address, because an erasure of the invited person would not find it in one of the inviter's records.
    audit({
      subject: { type: 'invite', id: inviteId },
      summary: `${open ? 'Resent an invitation' : 'Invited an address'} to the organization “${organization.name}” as ${role}.`,
      changes: open
        ? changesBetween(presentInvite(open), invite, ['role', 'invitedBy', 'expiresAt'])
        : [{ field: 'role', from: null, to: role }],
      unchanged: 'resent the same invitation.',
    });
    const data = { organizationId: id, invite };
    emit('auth.org.invited', { subjectId: inviteId, ...(known ? { personId: known.id } : {}), data });
    return { invite };
  },
});
