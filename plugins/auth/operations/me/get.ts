import { defineOperation } from '#core/kernel/operation.js';
import { boolean, list, nullable, object } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleFactor, exampleIdentity, exampleUser } from '../../examples.js';
import { Factor } from '../../factors/resources.js';
import { Identity } from '../../identities/resources.js';
import { activeMembership } from '../../organizations/membership.js';
import { presentOrganization, Organization } from '../../organizations/resources.js';
import { passwords } from '../../tables/password.js';
import { sessions } from '../../tables/session.js';
import { userDetails } from '../../factors/user-details.js';
import { findUser } from '../../users/find.js';
import { presentUser, User } from '../../users/resources.js';

export default defineOperation({
  name: 'auth.me.get',
  summary: 'Returns the signed-in user with their identities, factors and active organization.',
  keywords: 'who am I current user profile myself',
  access: 'user',
  needs: { withoutRequiredFactor: true },
  impact: { read: true, retrySafe: true },
  input: object({ accessToken }),
  output: object({
    user: User,
    identities: list(Identity, 'The user’s addresses, numbers and provider accounts, oldest first.'),
    factors: list(Factor, 'The second factors, oldest first.'),
    hasPassword: boolean('Whether the user has a password.'),
    organization: nullable(Organization),
  }),
  example: {
    input: { accessToken: exampleAccessToken },
    output: {
      user: exampleUser,
      identities: [exampleIdentity],
      factors: [exampleFactor],
      hasPassword: true,
      organization: null,
    },
  },

  async handle(_input, { db, caller, clock, fail }) {
    const { userId, sessionFamilyId } = caller.user;
    const environmentId = caller.environment.id;
    const [user, details, found, session] = await Promise.all([
      findUser(db, environmentId, userId),
      userDetails(db, userId),
      db.count(passwords, { userId }),
      db.findOne(sessions, { id: sessionFamilyId, environmentId }),
    ]);
    // Deleted since the token was checked.
    if (!user || !session) throw fail.token_invalid();
    const active = await activeMembership(db, session);
    return {
      user: presentUser(user, clock.now()),
      ...details,
      hasPassword: found > 0,
      organization: active && presentOrganization(active.organization),
    };
  },
});
