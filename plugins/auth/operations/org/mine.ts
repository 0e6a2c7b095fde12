import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { list, object } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleOrganization } from '../../examples.js';
import { requireOrganizations } from '../../organizations/enabled.js';
import { membershipPage, OwnMembership, presentMembership } from '../../organizations/membership.js';

export default defineOperation({
  name: 'auth.org.mine',
  summary: 'Lists the caller’s organizations, newest first, with the caller’s role in each.',
  keywords: 'my teams workspaces companies memberships',
  access: 'user',
  impact: { read: true, retrySafe: true },
  input: object({ accessToken, ...page }),
  output: object({ organizations: list(OwnMembership), nextBefore }),
  errors: ['feature_disabled'],
  example: {
    input: { accessToken: exampleAccessToken },
    output: { organizations: [{ organization: exampleOrganization, role: 'owner' }], nextBefore: null },
  },

  async handle({ before, limit }, context) {
    await requireOrganizations(context);
    const { db, caller } = context;
    const { rows, next } = await membershipPage(db, caller.user.userId, { before, limit });
    return { organizations: rows.map(presentMembership), nextBefore: next };
  },
});
