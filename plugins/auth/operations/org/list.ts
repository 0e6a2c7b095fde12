import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { filledText, list, object, optional } from '#core/kernel/schema/schema.js';
import { exampleOrganization } from '../../examples.js';
import { requireOrganizations } from '../../organizations/enabled.js';
import { organizationPage } from '../../organizations/list.js';
import { presentOrganization, Organization } from '../../organizations/resources.js';

export default defineOperation({
  name: 'auth.org.list',
  summary:
    'Lists every organization in the environment, newest first, or those whose name or slug starts with a query.',
  keywords: 'all teams workspaces companies search',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayTakeLong: ({ query }) => query !== undefined,
  input: object({
    ...page,
    query: optional(filledText('The start of a name or slug. Case and accents in names are ignored.', 120)),
  }),
  output: object({ organizations: list(Organization), nextBefore }),
  errors: ['feature_disabled'],
  example: { input: { query: 'ana' }, output: { organizations: [exampleOrganization], nextBefore: null } },

  async handle({ before, limit, query }, context) {
    await requireOrganizations(context);
    const { db, caller } = context;
    const { rows, next } = await organizationPage(db, caller.environment.id, query, { before, limit });
    return { organizations: rows.map(presentOrganization), nextBefore: next };
  },
});
