import { counted } from '#config/counted.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, onlyTrue, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { endUserApps } from '../../openid/user-apps.js';
import { endingChanges, endSessions } from '../../sessions/end.js';
import { sessions } from '../../tables/session.js';

export default defineOperation({
  name: 'auth.session.revokeMine',
  summary:
    'Ends one of the caller’s sessions, or all except the current one; or the tokens of an app that the caller signed in to.',
  keywords: 'sign out other devices log out everywhere',
  access: 'user',
  impact: { destructive: true, retrySafe: true },
  needs: { notImpersonated: true },
  input: object(
    {
      accessToken,
      familyId: optional(uuid('The session to end; auth.session.mine lists them.')),
      allOthers: optional(onlyTrue('Whether to end all sessions except the current one.')),
      appId: optional(
        text(
          'The app, by its key in the settings, whose tokens end in all of the caller’s sessions. The sessions continue.',
          { minLength: 1, maxLength: 64 },
        ),
      ),
    },
    { exactlyOneOf: ['familyId', 'allOthers', 'appId'] },
  ),
  output: object({ ended: count('The number of sessions that this call ended.') }),
  events: ['auth.session.revoked'],
  example: { input: { accessToken: exampleAccessToken, allOthers: true }, output: { ended: 2 } },

  async handle({ familyId, appId }, context) {
    const { db, caller, audit, fail } = context;
    const { environment, user } = caller;
    const { userId, sessionFamilyId } = user;
    if (appId !== undefined) {
      const count = await endUserApps(db, userId, appId);
      audit({
        subject: { type: 'user', id: userId },
        summary: 'Ended the tokens of an app.',
        changes: count === 0 ? [] : [{ field: 'app', from: appId, to: null }],
        unchanged: 'the app had no tokens.',
        personId: userId,
      });
      return { ended: 0 };
    }
    if (familyId !== undefined) {
      const session = await db.findOne(sessions, { id: familyId, environmentId: environment.id, userId });
      if (!session) throw fail.not_found({ thing: 'session', lookup: 'auth.session.mine' });
    }
    const which = familyId === undefined ? { userId, except: sessionFamilyId } : { sessionId: familyId };
    const ended = await endSessions(context, environment, which, 'revoked');
    audit({
      subject: familyId === undefined ? { type: 'user', id: userId } : { type: 'session', id: familyId },
      summary: familyId === undefined ? `Ended ${counted(ended.length, 'other session')}.` : 'Ended a session.',
      changes: endingChanges(ended),
      unchanged: familyId === undefined ? 'there was no other live session.' : 'the session had already ended.',
      personId: userId,
    });
    return { ended: ended.length };
  },
});
