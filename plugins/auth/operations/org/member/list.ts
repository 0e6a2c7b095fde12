import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { exampleOrganization, exampleOrgMember } from '../../../examples.js';
import { requireOrganizations } from '../../../organizations/enabled.js';
import { organizationId } from '../../../organizations/input.js';
import { memberPage } from '../../../organizations/members.js';
import { findOwnOrganization } from '../../../organizations/membership.js';
import { OrgMember } from '../../../organizations/resources.js';

export default defineOperation({
  name: 'auth.org.member.list',
  summary: 'Lists the members of one of the caller’s organizations, most recent first.',
  keywords: 'team colleagues people',
  access: 'user',
  impact: { read: true, retrySafe: true },
  input: object({ accessToken, organizationId, ...page }),
  output: object({ members: list(OrgMember), nextBefore }),
  errors: ['feature_disabled'],
  example: {
    input: { accessToken: exampleAccessToken, organizationId: exampleOrganization.id },
    output: { members: [exampleOrgMember], nextBefore: null },
  },

  async handle({ organizationId: id, before, limit }, context) {
    await requireOrganizations(context);
    await findOwnOrganization(context, id, 'auth.org.member.list');
    const { rows, next } = await memberPage(context.db, id, { before, limit });
    return { members: rows, nextBefore: next };
  },
});
