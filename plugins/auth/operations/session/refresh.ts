import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { countActiveUser } from '../../sessions/active-user.js';
import { endFamily } from '../../sessions/end.js';
import { presentSession, Tokens } from '../../sessions/resources.js';
import { readSession } from '../../sessions/read.js';
import {
  isOurs,
  hasDerivedKey,
  leastKeyLength,
  lockSession,
  parseRefreshToken,
  repeatsLastRefresh,
  rotateSession,
} from '../../sessions/refresh-token.js';
import { replaySeconds, issueTokens } from '../../sessions/tokens.js';
import { isBanned } from '../../users/ban.js';
import { presentUser, User } from '../../users/resources.js';

export default defineOperation({
  name: 'auth.session.refresh',
  summary:
    'Exchanges a refresh token for a new access token and a new refresh token. A refresh token presented twice revokes its whole family.',
  description:
    'A refresh token that is presented again may have been copied, so its session ends for everyone who shares it: ' +
    'store the new token before the next refresh, and refresh in only one place at a time. If the reply is lost, repeat the call with the same ' +
    'Idempotency-Key. It works as long as the session lives and the new refresh token has not been used. So store a random key of at least ' +
    `${leastKeyLength} characters together with the refresh token before the call, and take another key for the next refresh.`,
  keywords: 'rotate renew access token JWT expired stay signed in',
  access: 'publishable',
  showsSecret: 'stored encrypted',
  replaySeconds,
  input: object({ refreshToken: text('The refresh token from the last reply.', { minLength: 1, maxLength: 500 }) }),
  output: object({ tokens: Tokens, user: User }),
  errors: [
    'refresh_reused',
    'session_expired',
    'session_impersonated',
    'session_invalid',
    'session_revoked',
    'user_banned',
  ],
  events: ['auth.session.family_revoked', 'auth.session.refreshed'],
  example: { input: { refreshToken: 'svc_rt_example' }, output: { tokens: exampleTokens, user: exampleUser } },

  async handle({ refreshToken }, context) {
    const { db, caller, clock, vault, fail, refuse, emit, audit } = context;
    const { environment } = caller;
    const claimed = parseRefreshToken(refreshToken);
    if (!claimed) throw fail.session_invalid();
    // In one round trip, in this order: the read sees what earlier holders of the lock have committed.
    const [, found] = await Promise.all([
      lockSession(context, claimed.sessionId),
      readSession(db, environment.id, claimed.sessionId),
    ]);
    if (!found || !isOurs(vault, claimed, found.session)) throw fail.session_invalid();
    const { session, user } = found;
    const now = clock.now();
    const isLive = session.endedAt === null && session.expiresAt > now;
    if (session.impersonatorId !== null) throw fail.session_impersonated();
    const isRecent = now.getTime() - session.lastUsedAt.getTime() < replaySeconds * 1000;
    const isRepeat =
      repeatsLastRefresh(context, claimed, session) &&
      // Such a key shows no more than the token, so it counts only for tabs that refresh together.
      (!hasDerivedKey(context.idempotencyKey) || (caller.kind === 'page' && isRecent));
    if (claimed.generation < session.generation && !isRepeat) {
      if (isLive) await endFamily(context, environment, session.id);
      return refuse.refresh_reused();
    }
    if (isBanned(user, now)) throw fail.user_banned();
    if (session.endedAt !== null) throw fail.session_revoked();
    if (!isLive) throw fail.session_expired();
    await countActiveUser(context, environment, user.id);
    // A later repeat makes other tokens. A thief who copied token and key then has other tokens than the user, and the
    // next of them to use an old one ends the session.
    if (isRepeat && isRecent) {
      audit({
        subject: { type: 'session', id: session.id },
        summary: 'Repeated the last refresh of a session.',
        personId: user.id,
      });
      return { tokens: await issueTokens(context, found), user: presentUser(user, now) };
    }
    const rotated = await rotateSession(context, found, claimed.generation);
    const tokens = await issueTokens(context, { ...found, session: rotated });
    const shown = presentSession(rotated);
    audit({
      subject: { type: 'session', id: session.id },
      summary: isRepeat ? 'Refreshed a session again, because its reply was lost.' : 'Refreshed a session.',
      changes: changesBetween(presentSession(session), shown, ['lastUsedAt', 'expiresAt']),
      personId: user.id,
    });
    emit('auth.session.refreshed', { subjectId: session.id, personId: user.id, data: { session: shown } });
    return { tokens, user: presentUser(user, now) };
  },
});
