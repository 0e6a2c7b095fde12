import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { exampleOrganization, exampleOrgMember } from '../../../examples.js';
import { requireOrganizations } from '../../../organizations/enabled.js';
import { organizationId } from '../../../organizations/input.js';
import { endMembership } from '../../../organizations/members.js';
import { findMember, lockOwnOrganization } from '../../../organizations/membership.js';
import { presentMember, OrgMember } from '../../../organizations/resources.js';
import { assertManages, assertMayActOn, assertNotLastOwner } from '../../../organizations/rules.js';
import { withdrawInvitations } from '../../../organizations/withdraw.js';
import { orgFormerMembers } from '../../../tables/org-former-member.js';
import { findUser } from '../../../users/find.js';

export default defineOperation({
  name: 'auth.org.member.remove',
  summary:
    'Removes a member from the organization. Owners can act on anyone, admins on admins and members; only an owner can remove an owner.',
  description:
    'The last owner cannot be removed. The member loses access in svc immediately, and in the tokens of their sessions from the next refresh on. Open invitations that the member sent are withdrawn.',
  keywords: 'kick team offboard expel',
  access: 'user',
  needs: { notImpersonated: true },
  impact: { destructive: true, retrySafe: true },
  input: object({ accessToken, organizationId, userId: uuid('The member to remove.') }),
  output: object({ member: OrgMember }),
  errors: ['feature_disabled', 'org_role_required', 'org_last_owner'],
  events: ['auth.org.member_removed', 'auth.org.invite_revoked'],
  example: {
    input: {
      accessToken: exampleAccessToken,
      organizationId: exampleOrganization.id,
      userId: exampleOrgMember.userId,
    },
    output: { member: exampleOrgMember },
  },

  async handle({ organizationId: id, userId }, context) {
    await requireOrganizations(context);
    const { db, caller, emit, audit, fail } = context;
    const { organization, role: own } = await lockOwnOrganization(context, id, 'auth.org.member.remove');
    const user = await findUser(db, caller.environment.id, userId);
    // Without the member's name and address, because an erasure would not find them in another person's record.
    const entry = {
      subject: { type: 'user', id: userId },
      summary: `Removed a member from the organization “${organization.name}”.`,
      unchanged: 'the user was no longer a member.',
    };
    const found = await findMember(db, id, userId);
    if (!found) {
      assertManages(own, fail);
      const former = await db.findOne(orgFormerMembers, { organizationId: id, userId });
      if (!former) throw fail.not_found({ thing: 'member', lookup: 'auth.org.member.list' });
      audit({ ...entry, changes: [] });
      return { member: presentMember(former, user) };
    }
    assertMayActOn(own, [found.role], fail);
    await assertNotLastOwner(db, organization, found, fail);
    await endMembership(context, found);
    const withdrawn = await withdrawInvitations(context, caller.environment, id, userId, null);
    audit({ ...entry, changes: [{ field: 'membership', from: found.role, to: null }, ...withdrawn] });
    const member = presentMember(found, user);
    emit('auth.org.member_removed', { subjectId: id, personId: userId, data: { organizationId: id, member } });
    return { member };
  },
});
