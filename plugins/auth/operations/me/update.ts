import { requireUnchanged } from '#core/kernel/audit/unchanged.js';
import { defineOperation } from '#core/kernel/operation.js';
import { ifUnchangedSince, nullable, object, optional } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleUser } from '../../examples.js';
import { pictureUrl, userLocale, userName } from '../../users/input.js';
import { metadataInput } from '../../users/metadata.js';
import { lockOwnUser } from '../../users/find.js';
import { presentUser, User } from '../../users/resources.js';
import { updateUser } from '../../users/update.js';

export default defineOperation({
  name: 'auth.me.update',
  summary: 'Updates the signed-in user’s name, picture, locale and user-writable metadata.',
  description:
    'Omitted fields keep their values, and null clears a field. userMetadata merges key by key: a key in the call replaces the whole stored value, and null removes it.',
  keywords: 'edit profile avatar myself settings',
  access: 'user',
  needs: { notImpersonated: true },
  impact: { retrySafe: true },
  input: object(
    {
      accessToken,
      name: optional(nullable(userName)),
      pictureUrl: optional(nullable(pictureUrl)),
      locale: optional(nullable(userLocale)),
      userMetadata: optional(metadataInput('Writable by the user.')),
      ifUnchangedSince,
    },
    { minProperties: 2 },
  ),
  output: object({ user: User }),
  events: ['auth.user.updated'],
  example: {
    input: { accessToken: exampleAccessToken, name: 'Ada King', userMetadata: { theme: 'dark' } },
    output: { user: { ...exampleUser, name: 'Ada King', userMetadata: { theme: 'dark' } } },
  },

  async handle({ accessToken: _token, ifUnchangedSince: since, ...changes }, context) {
    const { db, caller, clock } = context;
    const before = await lockOwnUser(db, caller);
    await requireUnchanged(context, since, before, { type: 'user', id: before.id });
    return { user: presentUser(await updateUser(context, caller.environment, before, changes), clock.now()) };
  },
});
