import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleOrganization } from '../../examples.js';
import { requireOrganizations } from '../../organizations/enabled.js';
import { organizationId } from '../../organizations/input.js';
import { endMembership } from '../../organizations/members.js';
import { findMember, lockOwnOrganization } from '../../organizations/membership.js';
import { presentMember } from '../../organizations/resources.js';
import { assertNotLastOwner } from '../../organizations/rules.js';
import { withdrawInvitations } from '../../organizations/withdraw.js';
import { findUser } from '../../users/find.js';

export default defineOperation({
  name: 'auth.org.leave',
  summary: 'Removes the caller from the organization.',
  description:
    'The last owner cannot leave: make another member an owner first, or delete the organization. Open invitations that the caller sent are withdrawn.',
  keywords: 'quit exit team workspace company',
  access: 'user',
  needs: { notImpersonated: true },
  impact: { destructive: true },
  input: object({ accessToken, organizationId }),
  output: object({ left: boolean('Always true: the user is no longer a member.') }),
  errors: ['feature_disabled', 'org_last_owner'],
  events: ['auth.org.left', 'auth.org.invite_revoked'],
  example: {
    input: { accessToken: exampleAccessToken, organizationId: exampleOrganization.id },
    output: { left: true },
  },

  async handle({ organizationId: id }, context) {
    await requireOrganizations(context);
    const { db, caller, emit, audit, fail } = context;
    const { userId } = caller.user;
    const { organization } = await lockOwnOrganization(context, id, 'auth.org.leave', 'open');
    const member = await findMember(db, id, userId);
    if (!member) throw fail.not_found({ thing: 'organization', lookup: 'auth.org.mine' });
    await assertNotLastOwner(db, organization, member, fail);
    await endMembership(context, member);
    const withdrawn = await withdrawInvitations(context, caller.environment, id, userId, null);
    audit({
      subject: { type: 'organization', id },
      summary: `Left the organization “${organization.name}”.`,
      changes: [{ field: 'membership', from: member.role, to: null }, ...withdrawn],
    });
    const data = {
      organizationId: id,
      member: presentMember(member, await findUser(db, organization.environmentId, userId)),
    };
    emit('auth.org.left', { subjectId: id, personId: userId, data });
    return { left: true };
  },
});
