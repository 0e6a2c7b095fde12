import { hasRecentSignIn, recentMinutes } from '#core/kernel/runner/user.js';
import { perUser } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, count, object, optional, text, withDefault } from '#core/kernel/schema/schema.js';
import { endWaitingSignIns } from '../../challenges/waiting.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { sendSecurityNotice } from '../../mails/send.js';
import { endUserApps } from '../../openid/user-apps.js';
import { checkNewPassword } from '../../passwords/check-new.js';
import { findPassword, passwordHashRow, storePasswordStatement } from '../../passwords/stored.js';
import { hashPassword, verifyPassword } from '../../passwords/hash.js';
import { newPassword, typedPassword } from '../../passwords/normalize.js';
import { endingChanges, endSessions } from '../../sessions/end.js';
import { loadSettings } from '../../settings/load.js';
import { identities } from '../../tables/identity.js';
import { lockOwnUser } from '../../users/find.js';
import { presentUser, User } from '../../users/resources.js';

const name = 'auth.password.set';

export default defineOperation({
  name,
  summary:
    'Sets a first password, which requires a recent sign-in, or changes the password, which requires the current one or a recent sign-in.',
  description:
    'A sign-in is recent for 10 minutes. Passwords have password.minLength to 256 characters, counted as Unicode code points in NFKC form. With password.checkBreached, known passwords are refused. Other sessions end unless keepOtherSessions is true. The tokens of apps that the user signed in to by OpenID Connect end in all sessions.',
  keywords: 'update reset forgot',
  access: 'user',
  needs: { secondFactorIfActive: true, notImpersonated: true },
  limits: [perUser({ name, max: 10, windowSeconds: 3_600, description: '10 per hour per user' })],
  input: object({
    accessToken: text('The user’s access token.'),
    password: newPassword('The new password.'),
    currentPassword: optional(typedPassword('The current password.')),
    keepOtherSessions: withDefault(boolean('Whether the user’s other sessions continue.'), false),
  }),
  output: object({ user: User, endedSessions: count('The number of other sessions that ended.') }),
  errors: [
    'password_too_short',
    'password_too_long',
    'password_breached',
    'invalid_credentials',
    'password_partly_checked',
    'reauth_required',
    'method_disabled',
    'impersonation_forbidden',
  ],
  events: ['auth.password.set', 'auth.password.changed', 'auth.session.revoked'],
  example: {
    input: {
      accessToken: exampleTokens.accessToken,
      password: 'correct horse battery staple',
      currentPassword: 'Tr0ub4dor & three',
    },
    output: { user: exampleUser, endedSessions: 1 },
  },

  async prepare({ password, currentPassword }, context) {
    const { db, caller, clock, fail } = context;
    const settings = await loadSettings(db, caller.environment.id);
    if (settings.methods['password']?.enabled === false) throw fail.method_disabled({ method: 'password' });
    const stored = await findPassword(db, caller.user.userId);
    if (stored && currentPassword !== undefined) {
      const checked = await verifyPassword(caller, stored.hash, currentPassword);
      if (!checked.ok) throw checked.partly ? fail.password_partly_checked() : fail.invalid_credentials();
    } else if (!hasRecentSignIn(caller.user, clock)) {
      throw fail.reauth_required({ operation: name, minutes: recentMinutes });
    }
    await checkNewPassword(context, settings.password, password);
    return { stored, hash: await hashPassword(caller, password) };
  },

  async handle({ keepOtherSessions }, context) {
    const { db, caller, clock, audit, emit, fail, prepared } = context;
    const { environment } = caller;
    const { userId, sessionFamilyId } = caller.user;
    const user = await lockOwnUser(db, caller);
    const before = await findPassword(db, userId);
    // Another call has changed or removed it since the current password was checked.
    if (before?.hash !== prepared.stored?.hash && !hasRecentSignIn(caller.user, clock))
      throw before ? fail.invalid_credentials() : fail.reauth_required({ operation: name, minutes: recentMinutes });
    const proven = (await db.find(identities, { userId })).some(({ verifiedAt }) => verifiedAt !== null);
    const row = passwordHashRow(user, { hash: prepared.hash, byUser: proven, now: clock.now() });
    await db.run(storePasswordStatement(row));
    await endWaitingSignIns(context, userId);
    // Also in this session: somebody else may have an app's tokens.
    await endUserApps(db, userId);
    const ended = keepOtherSessions
      ? []
      : await endSessions(context, environment, { userId, except: sessionFamilyId }, 'password_changed');
    const change = before ? 'changed' : 'set';
    const event = { subjectId: userId, personId: userId, data: { userId } };
    emit(before ? 'auth.password.changed' : 'auth.password.set', event);
    await sendSecurityNotice(context, environment, user, `password_${change}`);
    audit({
      subject: { type: 'user', id: userId },
      summary: before ? 'Changed a user’s password.' : 'Set a user’s first password.',
      changes: [{ field: 'password', from: before ? 'set' : null, to: change }, ...endingChanges(ended)],
      personId: userId,
    });
    return { user: presentUser(user, clock.now()), endedSessions: ended.length };
  },
});
