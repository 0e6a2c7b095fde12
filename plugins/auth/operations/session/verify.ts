import { defineOperation } from '#core/kernel/operation.js';
import { keyIssuer } from '#core/kernel/ports.js';
import { anything, boolean, map, nullable, object, oneOf, text } from '#core/kernel/schema/schema.js';
import { exampleAccessToken, tokenLength } from '../../access-token.js';
import { exampleSession, exampleUser } from '../../examples.js';
import { checkAccessToken, tokenProblems } from '../../sessions/check-token.js';
import { presentSession, Session } from '../../sessions/resources.js';
import { isBanned } from '../../users/ban.js';
import { presentUser, User } from '../../users/resources.js';

const reasons = [...tokenProblems, 'user_banned', 'mfa_required'] as const;

export default defineOperation({
  name: 'auth.session.verify',
  summary:
    'Checks an access token online (its signature, its expiry, and whether its session is still live) and returns its user.',
  description:
    'For an invalid token, returns `valid: false` with the reason, never an error. Unlike an offline check with the keys at ' +
    '/auth/jwks/{environmentId}, this notices immediately that a session has ended.',
  keywords: 'validate introspect JWT authenticate request middleware current user',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ accessToken: text('The access token to check.', tokenLength) }),
  output: object({
    valid: boolean('Whether the token is valid.'),
    reason: nullable(
      oneOf(
        reasons,
        'Why it is invalid. malformed: not an access token of svc; wrong_signature: not signed by a published key; wrong_environment: issued in another environment; expired: too old; session_ended: signed out, revoked or expired; user_banned: the user is banned; mfa_required: the environment requires a second factor that the session lacks.',
      ),
    ),
    user: nullable(User),
    session: nullable(Session),
    claims: nullable(map(anything(), 'The claims of the token.')),
  }),
  example: {
    input: { accessToken: exampleAccessToken },
    output: {
      valid: true,
      reason: null,
      user: exampleUser,
      session: exampleSession,
      claims: { sub: exampleUser.id, sid: exampleSession.id, mfa: false },
    },
  },

  async handle({ accessToken }, { db, caller, clock, deployment, use }) {
    const now = clock.now();
    const refused = (reason: (typeof reasons)[number]) => ({
      valid: false,
      reason,
      user: null,
      session: null,
      claims: null,
    });
    const checked = await checkAccessToken(
      { db, issuer: deployment.baseUrl, now, stillHolds: use(keyIssuer).stillHolds },
      caller.environment,
      accessToken,
    );
    if (!checked.valid) return refused(checked.problem);
    const { user, session, claims, requiresFactor } = checked;
    if (isBanned(user, now)) return refused('user_banned');
    if (requiresFactor && !session.mfa) return refused('mfa_required');
    return {
      valid: true,
      reason: null,
      user: presentUser(user, now),
      session: presentSession(session),
      claims: { ...claims },
    };
  },
});
