import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, email, list, nullable, object, optional, phone, uuid } from '#core/kernel/schema/schema.js';
import { exampleFactor, exampleIdentity, exampleOrganization, exampleUser } from '../../examples.js';
import { Factor } from '../../factors/resources.js';
import { emailIdentity, phoneIdentity } from '../../identities/normalize.js';
import { Identity } from '../../identities/resources.js';
import { membershipsOf, OwnMembership, presentMembership } from '../../organizations/membership.js';
import { reachedLimits, SignInLimit } from '../../signin/user-limits.js';
import { users, type UserRow } from '../../tables/user.js';
import { userDetails } from '../../factors/user-details.js';
import { findUserByIdentity } from '../../users/find.js';
import { externalId } from '../../users/input.js';
import { presentUserPrivately, UserWithPrivateMetadata } from '../../users/resources.js';

export default defineOperation({
  name: 'auth.user.get',
  summary: 'Returns a user by id, email address, phone number or external id.',
  description: 'Any address or number of the user works, not only the primary one.',
  keywords: 'find look up end user customer account email',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  namedItems: { id: 'userId', names: ['email', 'phone', 'externalId'], found: 'user.id' },
  input: object(
    {
      userId: optional(uuid('The user.')),
      email: optional(email('One of the user’s addresses.')),
      phone: optional(phone('One of the user’s numbers, E.164.')),
      externalId: optional(externalId),
      withLimits: optional(boolean('Whether to also return the limits that refuse the user’s sign-ins now.')),
    },
    { exactlyOneOf: ['userId', 'email', 'phone', 'externalId'] },
  ),
  output: object({
    user: UserWithPrivateMetadata,
    identities: list(Identity, 'The user’s addresses, numbers and provider accounts, oldest first.'),
    factors: list(Factor, 'The second factors, oldest first.'),
    organizations: list(OwnMembership, 'The user’s organizations, newest first.'),
    limits: nullable(
      list(
        SignInLimit,
        'The limits that refuse the user’s sign-ins now, with withLimits; otherwise null. Limits per IP address are found for those of the user’s newest sessions. auth.user.update with liftLimits lifts them.',
      ),
    ),
  }),
  example: {
    input: { email: 'ada@example.com' },
    output: {
      user: { ...exampleUser, banReason: null, privateMetadata: {} },
      identities: [exampleIdentity],
      factors: [exampleFactor],
      organizations: [{ organization: exampleOrganization, role: 'owner' }],
      limits: null,
    },
  },

  async handle({ userId, email: address, phone: number, externalId: external, withLimits }, context) {
    const { db, caller, clock, fail } = context;
    const environmentId = caller.environment.id;
    const lookUp = (): Promise<UserRow | null> =>
      address !== undefined
        ? findUserByIdentity(db, environmentId, emailIdentity(address))
        : number !== undefined
          ? findUserByIdentity(db, environmentId, phoneIdentity(number))
          : db.findOne(users, { environmentId, externalId: external?.normalize('NFC') ?? '' });
    const named = userId === undefined ? await lookUp() : null;
    const id = userId ?? named?.id;
    if (id === undefined) throw fail.not_found({ ...users.notFound });
    // In one round trip. The data that is read by id is used only if the user belongs to the environment.
    const [found, details, memberships] = await Promise.all([
      named ?? findOwned(db, users, caller, id),
      userDetails(db, id),
      membershipsOf(db, id),
    ]);
    const limits = withLimits === true ? await reachedLimits(context, found.id) : null;
    return {
      user: presentUserPrivately(found, clock.now()),
      ...details,
      organizations: memberships.map(presentMembership),
      limits,
    };
  },
});
