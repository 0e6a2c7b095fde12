import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nullable, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { exampleUser } from '../../examples.js';
import { users } from '../../tables/user.js';
import { externalId, pictureUrl, userLocale, userName } from '../../users/input.js';
import { metadataInput } from '../../users/metadata.js';
import { presentUserPrivately } from '../../users/present.js';
import { UserWithPrivateMetadata } from '../../users/resources.js';
import { updateUser } from '../../users/update.js';

export default defineOperation({
  name: 'auth.user.update',
  summary: 'Change a user’s facts and metadata.',
  description:
    'An absent field stays as it is, and null removes it. Metadata merges key by key: a key that you pass replaces the stored one as a whole, null removes it. Addresses and numbers are the user’s own to change (auth.identity.add).',
  keywords: 'edit end user customer profile attributes',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    {
      userId: uuid('The user to change.'),
      name: optional(nullable(userName)),
      pictureUrl: optional(nullable(pictureUrl)),
      locale: optional(nullable(userLocale)),
      externalId: optional(nullable(externalId)),
      metadata: optional(metadataInput('Written with secret keys only; the user may see it.')),
      privateMetadata: optional(metadataInput('Seen and written with secret keys only.')),
    },
    { minProperties: 2 },
  ),
  output: object({ user: UserWithPrivateMetadata }),
  errors: ['identity_taken'],
  events: ['auth.user.updated'],
  example: {
    input: { userId: exampleUser.id, name: 'Ada King', metadata: { plan: 'pro', trial: null } },
    output: { user: { ...exampleUser, name: 'Ada King', banReason: null, privateMetadata: {} } },
  },

  async handle({ userId, ...changes }, context) {
    const { db, caller, clock, fail } = context;
    const before = await lockOwned(db, users, caller, userId);
    const after = await updateUser(context, caller.environment, before, changes).catch((error: unknown) => {
      throw isDuplicate(error, 'external_id') ? fail.identity_taken({ what: 'external id' }) : error;
    });
    return { user: presentUserPrivately(after, clock.now()) };
  },
});
