import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { keyIssuer } from '#core/kernel/ports.js';
import {
  filledText,
  integer,
  nullable,
  object,
  optional,
  text,
  url,
  uuid,
  withDefault,
} from '#core/kernel/schema/schema.js';
import { exampleSession, exampleTokens, exampleUser } from '../../examples.js';
import { readReturn } from '../../challenges/return-target.js';
import { impersonating } from '../../sessions/check-token.js';
import { openSession } from '../../sessions/open.js';
import { presentSession, Tokens } from '../../sessions/resources.js';
import { issueTokens } from '../../sessions/tokens.js';
import { loadSettings } from '../../settings/load.js';
import { issueHandoff } from '../../signin/handoff.js';
import { users } from '../../tables/user.js';
import { isBanned } from '../../users/ban.js';

export default defineOperation({
  name: 'auth.user.impersonate',
  summary:
    'Opens a session as the user, marked as impersonated, for at most 30 minutes. The session cannot be refreshed and cannot change how the user signs in.',
  description:
    'Use it to see what the user sees. The session can read and switch organizations; operations that change the user or an ' +
    'organization are refused with impersonation_forbidden. It ends if the key is revoked or loses auth:write, if the member who opened it or made the key is removed or loses auth:write, or if impersonation.enabled is turned off. Its access tokens carry `act` with the impersonator, and the user sees the session in auth.session.mine. Its ' +
    'refresh token can only sign out. With `redirectTo`, the reply also has the URL that opens your app with the session: your app exchanges its svc_code with auth.session.exchange, as after a sign-in.',
  keywords: 'log in as support act on behalf sudo debug',
  access: 'secret',
  impact: { destructive: true },
  showsSecret: 'stored encrypted',
  input: object({
    userId: uuid('The user.'),
    reason: filledText('The reason, for the audit record.', 500, 3),
    seconds: withDefault(integer('The lifetime of the session.', { minimum: 60, maximum: 1_800 }), 1_800),
    redirectTo: optional(
      url(
        'The URL of your app that receives the session as an svc_code. Must match one of the environment’s redirectUrls.',
      ),
    ),
  }),
  output: object({
    tokens: Tokens,
    sessionId: text('The session.'),
    redirectTo: nullable(
      url('`redirectTo` with an svc_code, which works once and within two minutes; null if the call had none.'),
    ),
  }),
  errors: ['feature_disabled', 'redirect_not_allowed', 'user_banned'],
  events: ['auth.user.impersonated'],
  example: {
    input: { userId: exampleUser.id, reason: 'Ticket 1815: the invoice page is empty.' },
    output: { tokens: exampleTokens, sessionId: exampleSession.id, redirectTo: null },
  },

  async handle({ userId, reason, seconds, redirectTo }, context) {
    const { db, caller, clock, use, fail, audit, emit } = context;
    const { environment, memberId } = caller;
    // The tokens name this member (`act.sub`), and the session would end at once.
    if (
      memberId !== null &&
      !(await use(keyIssuer).stillHolds({ kind: 'member', id: memberId }, environment, impersonating))
    )
      throw fail.forbidden({
        problem: `the member who made this key was removed, or does not hold ${impersonating}`,
        nextStep: 'Use a key of another member, or let another member rotate this one with developers.key.rotate.',
      });
    // Locked: a concurrent ban or deletion also ends this session, or is visible here.
    const user = await lockOwned(db, users, caller, userId);
    const settings = await loadSettings(db, environment.id);
    if (!settings.impersonation.enabled)
      throw fail.feature_disabled({
        feature: 'impersonation',
        nextStep: 'Turn it on with auth.settings.set (impersonation.enabled), then call again.',
      });
    if (isBanned(user, clock.now())) throw fail.user_banned();
    if (redirectTo !== undefined) readReturn(context, environment, settings, { redirectTo });
    const session = await openSession(context, environment, {
      user,
      settings,
      methods: ['impersonation'],
      openedBy: null,
      mfa: false,
      impersonation: {
        id: caller.memberId ?? caller.id,
        keyId: caller.kind === 'key' ? caller.id : null,
        label: caller.label,
        reason,
        seconds,
      },
    });
    const tokens = await issueTokens(context, { session, user, settings, orgRole: null });
    const who = user.email ?? user.phone ?? user.name ?? user.id;
    audit({
      subject: { type: 'user', id: user.id },
      summary: `${caller.label} impersonates ${who}: ${reason}`,
      changes: [
        { field: 'sessionId', from: null, to: session.id },
        { field: 'reason', from: null, to: reason },
        { field: 'expiresAt', from: null, to: session.expiresAt.toISOString() },
      ],
      personId: user.id,
    });
    emit('auth.user.impersonated', {
      subjectId: session.id,
      personId: user.id,
      data: { session: presentSession(session) },
    });
    return {
      tokens,
      sessionId: session.id,
      redirectTo: redirectTo === undefined ? null : await issueHandoff(context, session, redirectTo),
    };
  },
});
