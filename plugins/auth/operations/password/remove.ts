import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import { endWaitingSignIns } from '../../challenges/waiting.js';
import { endingChanges, endSessions, openedByPassword } from '../../sessions/end.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { sendSecurityNotice } from '../../mails/send.js';
import { requireRemainingMethod } from '../../settings/remaining-methods.js';
import { passwords } from '../../tables/password.js';
import { lockOwnUser } from '../../users/find.js';
import { presentUser, User } from '../../users/resources.js';

export default defineOperation({
  name: 'auth.password.remove',
  summary: 'Removes the user’s password. Refused if no other way to sign in would remain.',
  description: 'The user’s other sessions that signed in with it end.',
  keywords: 'delete passwordless',
  access: 'user',
  impact: { destructive: true },
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  input: object({ accessToken: text('The user’s access token.') }),
  output: object({ user: User }),
  errors: ['no_usable_signin_method', 'password_not_set', 'reauth_required', 'impersonation_forbidden'],
  events: ['auth.password.removed', 'auth.session.revoked'],
  example: { input: { accessToken: exampleTokens.accessToken }, output: { user: exampleUser } },

  async handle(_, context) {
    const { db, caller, clock, audit, emit, fail } = context;
    const { environment } = caller;
    const { userId, sessionFamilyId } = caller.user;
    // Concurrent removals run one after the other here, so that the second one finds that nothing would remain.
    const user = await lockOwnUser(db, caller);
    const removed = await db.remove(passwords, { userId });
    if (removed === 0) throw fail.password_not_set();
    await requireRemainingMethod(context, environment, userId);
    await endWaitingSignIns(context, userId);
    const which = { userId, except: sessionFamilyId, where: openedByPassword };
    const ended = await endSessions(context, environment, which, 'revoked');
    emit('auth.password.removed', { subjectId: userId, personId: userId, data: { userId } });
    await sendSecurityNotice(context, environment, user, 'password_removed');
    audit({
      subject: { type: 'user', id: userId },
      summary: 'Removed a user’s password.',
      changes: [{ field: 'password', from: 'set', to: null }, ...endingChanges(ended)],
      personId: userId,
    });
    return { user: presentUser(user, clock.now()) };
  },
});
