import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { ifUnchangedSince, object, uuid } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { exampleOrganization, exampleOrgMember } from '../../../examples.js';
import { requireOrganizations } from '../../../organizations/enabled.js';
import { organizationId } from '../../../organizations/input.js';
import { findMember, lockOwnOrganization, orgRole } from '../../../organizations/membership.js';
import { presentMember, OrgMember } from '../../../organizations/resources.js';
import { assertMayActOn, assertNotLastOwner } from '../../../organizations/rules.js';
import { withdrawInvitations } from '../../../organizations/withdraw.js';
import { orgMembers } from '../../../tables/org-member.js';
import { findUser } from '../../../users/find.js';

export default defineOperation({
  name: 'auth.org.member.update',
  summary:
    'Changes a member’s role (owner, admin or member). Owners can act on anyone, admins on admins and members; only an owner can make someone an owner, or demote an owner.',
  description:
    'The change takes effect in svc immediately, and in the tokens of the member’s sessions from their next refresh on. Open invitations that the member sent but could not send with the new role are withdrawn.',
  keywords: 'promote demote team role permission owner admin',
  access: 'user',
  needs: { notImpersonated: true },
  impact: { retrySafe: true },
  input: object({ accessToken, organizationId, userId: uuid('The member.'), role: orgRole, ifUnchangedSince }),
  output: object({ member: OrgMember }),
  errors: ['feature_disabled', 'org_role_required', 'org_last_owner'],
  events: ['auth.org.member_updated', 'auth.org.invite_revoked'],
  example: {
    input: {
      accessToken: exampleAccessToken,
      organizationId: exampleOrganization.id,
      userId: exampleOrgMember.userId,
      role: 'admin',
    },
    output: { member: { ...exampleOrgMember, role: 'admin' } },
  },

  async handle({ organizationId: id, userId, role, ifUnchangedSince: since }, context) {
    await requireOrganizations(context);
    const { db, caller, clock, emit, audit, fail } = context;
    const { organization, role: own } = await lockOwnOrganization(context, id, 'auth.org.member.update');
    const before = await findMember(db, id, userId);
    if (!before) throw fail.not_found({ thing: 'member', lookup: 'auth.org.member.list' });
    assertMayActOn(own, [before.role, role], fail);
    const changedAt = { updatedAt: before.updatedAt ?? before.joinedAt };
    await requireUnchanged(context, since, changedAt, { type: 'user', id: userId });
    if (role !== 'owner') await assertNotLastOwner(db, organization, before, fail);
    const updatedAt = role === before.role ? before.updatedAt : updateTime(changedAt, clock.now());
    const after = { ...before, role, updatedAt };
    const withdrawn = await withdrawInvitations(context, caller.environment, id, userId, role);
    // Without the member's name and address, because an erasure would not find them in another person's record.
    audit({
      subject: { type: 'user', id: userId },
      summary: `Changed a role in the organization “${organization.name}” to ${role}.`,
      changes: [...changesBetween(before, after, ['role']), ...withdrawn],
      unchanged: `the member already had the role ${role}.`,
    });
    const member = presentMember(after, await findUser(db, caller.environment.id, userId));
    if (role === before.role) return { member };
    await db.update(orgMembers, { organizationId: id, userId }, { role, updatedAt });
    emit('auth.org.member_updated', { subjectId: id, personId: userId, data: { organizationId: id, member } });
    return { member };
  },
});
