import { requireUnchanged } from '#core/kernel/audit/unchanged.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, ifUnchangedSince, list, nullable, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { isIP } from 'node:net';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { exampleUser } from '../../examples.js';
import { liftLimits, mostIps } from '../../signin/user-limits.js';
import { users } from '../../tables/user.js';
import { externalId, pictureUrl, userLocale, userName } from '../../users/input.js';
import { metadataInput } from '../../users/metadata.js';
import { presentUserPrivately, UserWithPrivateMetadata } from '../../users/resources.js';
import { updateUser } from '../../users/update.js';

export default defineOperation({
  name: 'auth.user.update',
  summary: 'Updates a user’s details and metadata. Metadata merges key by key.',
  description:
    'Omitted fields keep their values, and null clears a field. A metadata key in the call replaces the whole stored value, and null removes it. Only the user can change their addresses and numbers (auth.identity.add).',
  keywords: 'edit end user customer profile attributes locked out rate limit unlock too many attempts',
  access: 'secret',
  impact: { retrySafe: true },
  input: object(
    {
      userId: uuid('The user to update.'),
      name: optional(nullable(userName)),
      pictureUrl: optional(nullable(pictureUrl)),
      locale: optional(nullable(userLocale)),
      externalId: optional(nullable(externalId)),
      metadata: optional(metadataInput('Writable only with secret keys; the user can read it.')),
      ifUnchangedSince,
      privateMetadata: optional(metadataInput('Readable and writable only with secret keys.')),
      liftLimits: optional(
        boolean(
          'Whether to lift the limits of sign-ins started, wrong codes and wrong second factors of this user, so that they can try again now: for all IP addresses together, and for each IP address of the user’s newest sessions and of `ipAddresses`. Limits of an IP address for all its users stay.',
        ),
      ),
      ipAddresses: optional(
        list(
          text('An IPv4 or IPv6 address.', { maxLength: 45 }),
          'IP addresses that the person signs in from, with liftLimits.',
          {
            maxItems: mostIps,
          },
        ),
      ),
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

  async handle({ userId, ifUnchangedSince: since, liftLimits: lift, ipAddresses = [], ...changes }, context) {
    const { db, caller, clock, fail } = context;
    const before = await lockOwned(db, users, caller, userId);
    await requireUnchanged(context, since, before, { type: 'user', id: userId });
    if (ipAddresses.some((ip) => isIP(ip) === 0))
      throw fail.invalid_input({ field: 'ipAddresses', problem: 'must be IPv4 or IPv6 addresses' });
    const lifted = lift === true ? await liftLimits(context, userId, ipAddresses) : 0;
    const others = lifted === 0 ? [] : [{ field: 'limits', from: 'counted', to: 'lifted' }];
    const after = await updateUser(context, caller.environment, before, changes, others).catch((error: unknown) => {
      throw isDuplicate(error, 'external_id') ? fail.identity_taken({ what: 'external id' }) : error;
    });
    return { user: presentUserPrivately(after, clock.now()) };
  },
});
