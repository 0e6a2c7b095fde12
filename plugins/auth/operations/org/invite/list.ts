import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { exampleOrganization, exampleOrgInvite } from '../../../examples.js';
import { requireOrganizations } from '../../../organizations/enabled.js';
import { organizationId } from '../../../organizations/input.js';
import { findOwnOrganization } from '../../../organizations/membership.js';
import { presentInvite, OrgInvite } from '../../../organizations/resources.js';
import { assertManages } from '../../../organizations/rules.js';
import { orgInvites } from '../../../tables/org-invite.js';

export default defineOperation({
  name: 'auth.org.invite.list',
  summary: 'Lists an organization’s open invitations, newest first. For owners and admins.',
  keywords: 'pending invited team',
  access: 'user',
  impact: { read: true, retrySafe: true },
  input: object({ accessToken, organizationId, ...page }),
  output: object({ invites: list(OrgInvite), nextBefore }),
  errors: ['feature_disabled', 'org_role_required'],
  example: {
    input: { accessToken: exampleAccessToken, organizationId: exampleOrganization.id },
    output: { invites: [exampleOrgInvite], nextBefore: null },
  },

  async handle({ organizationId: id, before, limit }, context) {
    await requireOrganizations(context);
    const { db, clock, fail } = context;
    const { role } = await findOwnOrganization(context, id, 'auth.org.invite.list');
    assertManages(role, fail);
    const query = db
      .select(orgInvites, 'invite')
      .where('invite.organization_id = :organization', { organization: idBytes(id) })
      .andWhere('invite.open_key IS NOT NULL')
      .andWhere('invite.expires_at > :now', { now: clock.now() });
    const { rows, next } = await paged(query, 'invite', 'organization', { before, limit });
    return { invites: rows.map(presentInvite), nextBefore: next };
  },
});
