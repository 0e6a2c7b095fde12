import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { boolean, filledText, list, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleUser } from '../../examples.js';
import { organizations } from '../../tables/organization.js';
import { userPage } from '../../users/list.js';
import { presentUserPrivately, UserWithPrivateMetadata } from '../../users/resources.js';

export default defineOperation({
  name: 'auth.user.list',
  summary: 'Lists users, newest first, with optional filters.',
  description:
    'Filters are combined. A query is the start of an address, a number, an external id or any word of the name. Case and accents in names are ignored.',
  keywords: 'all end users customers accounts search find',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  mayBeOld: 'on request',
  // Without a query, users are read in index order.
  mayTakeLong: ({ query, banned, appId }) => query !== undefined || banned !== undefined || appId !== undefined,
  input: object({
    ...page,
    query: optional(filledText('The start of an address, number, external id or word of the name.', 254)),
    banned: optional(boolean('Only users who are currently banned, or only those who are not.')),
    organizationId: optional(uuid('Only members of this organization.')),
    appId: optional(
      text('Only users who have signed in to this app (`apps` of auth.settings.get) and still have access.', {
        minLength: 1,
        maxLength: 64,
      }),
    ),
  }),
  output: object({ users: list(UserWithPrivateMetadata), nextBefore }),
  example: {
    input: { query: 'ada' },
    output: { users: [{ ...exampleUser, banReason: null, privateMetadata: {} }], nextBefore: null },
  },

  async handle({ before, limit, ...filter }, { db, caller, clock }) {
    if (filter.organizationId !== undefined) await findOwned(db, organizations, caller, filter.organizationId);
    const now = clock.now();
    const { rows, next } = await userPage(
      db,
      { environmentId: caller.environment.id, now, ...filter },
      { before, limit },
    );
    return { users: rows.map((row) => presentUserPrivately(row, now)), nextBefore: next };
  },
});
