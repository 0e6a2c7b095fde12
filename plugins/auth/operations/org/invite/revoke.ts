import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { exampleOrganization, exampleOrgInvite } from '../../../examples.js';
import { requireOrganizations } from '../../../organizations/enabled.js';
import { organizationId } from '../../../organizations/input.js';
import { lockOwnOrganization } from '../../../organizations/membership.js';
import { presentInvite, OrgInvite } from '../../../organizations/resources.js';
import { assertMayActOn } from '../../../organizations/rules.js';
import { orgInvites } from '../../../tables/org-invite.js';
import { findIdentity } from '../../../users/find.js';

export default defineOperation({
  name: 'auth.org.invite.revoke',
  summary: 'Withdraws an invitation to the organization. For owners and admins.',
  description: 'The link then returns invite_revoked. Only an owner can withdraw an invitation for the owner role.',
  keywords: 'cancel invitation team',
  access: 'user',
  needs: { notImpersonated: true },
  impact: { destructive: true, retrySafe: true },
  input: object({ accessToken, organizationId, inviteId: uuid('The invitation.') }),
  output: object({ invite: OrgInvite }),
  errors: ['feature_disabled', 'org_role_required', 'invite_accepted'],
  events: ['auth.org.invite_revoked'],
  example: {
    input: {
      accessToken: exampleAccessToken,
      organizationId: exampleOrganization.id,
      inviteId: exampleOrgInvite.id,
    },
    output: { invite: { ...exampleOrgInvite, revokedAt: '2026-11-21T08:00:00.000Z' } },
  },

  async handle({ organizationId: id, inviteId }, context) {
    await requireOrganizations(context);
    const { db, caller, clock, emit, audit, fail } = context;
    const { organization, role: own } = await lockOwnOrganization(context, id, 'auth.org.invite.revoke');
    assertMayActOn(own, [], fail);
    const before = await lockOwned(db, orgInvites, caller, inviteId);
    if (before.organizationId !== id) throw fail.not_found({ ...orgInvites.notFound });
    assertMayActOn(own, [before.role], fail);
    if (before.acceptedAt)
      throw fail.invite_accepted({ nextStep: 'Remove the member with auth.org.member.remove instead.' });
    const revokedAt = before.revokedAt ?? clock.now();
    const after = { ...before, revokedAt };
    const invite = presentInvite(after);
    audit({
      subject: { type: 'invite', id: inviteId },
      summary: `Withdrew an invitation to the organization “${organization.name}”.`,
      changes: before.revokedAt ? [] : [{ field: 'revokedAt', from: null, to: invite.revokedAt }],
      unchanged: 'the invitation was already withdrawn.',
    });
    if (before.revokedAt) return { invite };
    // The digest is kept so that the link answers invite_revoked. The token is not, because the link is never sent
    // again.
    await db.update(orgInvites, { id: inviteId }, { revokedAt, openKey: null, tokenSealed: null });
    const identity = await findIdentity(db, caller.environment.id, { kind: 'email', key: before.emailKey });
    const data = { organizationId: id, invite };
    emit('auth.org.invite_revoked', { subjectId: inviteId, ...(identity ? { personId: identity.userId } : {}), data });
    return { invite };
  },
});
