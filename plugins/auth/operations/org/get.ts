import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleOrganization } from '../../examples.js';
import { requireOrganizations } from '../../organizations/enabled.js';
import { organizationId } from '../../organizations/input.js';
import { findOwnOrganization, orgRole, presentMembership } from '../../organizations/membership.js';
import { Organization } from '../../organizations/resources.js';

export default defineOperation({
  name: 'auth.org.get',
  summary: 'Returns one of the caller’s organizations, with the caller’s role in it.',
  keywords: 'team workspace company',
  access: 'user',
  impact: { read: true, retrySafe: true },
  input: object({ accessToken, organizationId }),
  output: object({ organization: Organization, role: orgRole }),
  errors: ['feature_disabled'],
  example: {
    input: { accessToken: exampleAccessToken, organizationId: exampleOrganization.id },
    output: { organization: exampleOrganization, role: 'owner' },
  },

  async handle({ organizationId: id }, context) {
    await requireOrganizations(context);
    // Open to sessions without a second factor, because a member learns here that the organization requires one.
    return presentMembership(await findOwnOrganization(context, id, 'auth.org.get', 'open'));
  },
});
