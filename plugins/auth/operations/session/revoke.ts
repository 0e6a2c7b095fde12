import { counted } from '#config/counted.js';
import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { count, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { exampleSession } from '../../examples.js';
import { endingChanges, endSessions } from '../../sessions/end.js';
import { sessions } from '../../tables/session.js';
import { users } from '../../tables/user.js';

export default defineOperation({
  name: 'auth.session.revoke',
  summary:
    'Ends one session or every live session of a user. The refresh token stops working immediately; an issued access token works until it expires.',
  description:
    'User operations and auth.session.verify reject the access token immediately. Only servers that check it offline accept it until it expires.',
  keywords: 'sign out everywhere log out kick device stolen',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object(
    { sessionId: optional(uuid('One session.')), userId: optional(uuid('The user whose live sessions all end.')) },
    { exactlyOneOf: ['sessionId', 'userId'] },
  ),
  output: object({ ended: count('The number of sessions that this call ended.') }),
  events: ['auth.session.revoked'],
  example: { input: { sessionId: exampleSession.id }, output: { ended: 1 } },

  async handle({ sessionId, userId = '' }, context) {
    const { db, caller, audit } = context;
    const isOne = sessionId !== undefined;
    const personId = isOne
      ? (await findOwned(db, sessions, caller, sessionId)).userId
      : (await findOwned(db, users, caller, userId)).id;
    const which = isOne ? { sessionId } : { userId };
    const ended = await endSessions(context, caller.environment, which, 'revoked');
    audit({
      subject: isOne ? { type: 'session', id: sessionId } : { type: 'user', id: userId },
      summary: isOne ? 'Ended a session.' : `Ended ${counted(ended.length, 'session')} of a user.`,
      changes: endingChanges(ended),
      unchanged: isOne ? 'the session had already ended.' : 'the user had no live session.',
      personId,
    });
    return { ended: ended.length };
  },
});
