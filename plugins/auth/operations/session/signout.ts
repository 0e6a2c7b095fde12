import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, text } from '#core/kernel/schema/schema.js';
import { endingChanges, signOut } from '../../sessions/end.js';
import { readSession } from '../../sessions/read.js';
import { isOurs, parseRefreshToken } from '../../sessions/refresh-token.js';

export default defineOperation({
  name: 'auth.session.signout',
  summary: 'Ends the session of the presented refresh token and every refresh token it rotated into.',
  description: 'Servers that check an access token offline accept it until it expires.',
  keywords: 'log out logout sign out end',
  access: 'publishable',
  impact: { retrySafe: true },
  input: object({
    refreshToken: text('Any refresh token of the session, including a used one.', { minLength: 1, maxLength: 500 }),
  }),
  output: object({ ended: boolean('Whether this call ended it; false if it had already ended.') }),
  errors: ['session_invalid'],
  events: ['auth.session.signed_out'],
  example: { input: { refreshToken: 'svc_rt_example' }, output: { ended: true } },

  async handle({ refreshToken }, context) {
    const { db, caller, vault, fail, audit } = context;
    const { environment } = caller;
    const claimed = parseRefreshToken(refreshToken);
    const found = claimed && (await readSession(db, environment.id, claimed.sessionId));
    if (!claimed || !found || !isOurs(vault, claimed, found.session)) throw fail.session_invalid();
    const { id: sessionId, userId } = found.session;
    const ended = await signOut(context, environment, sessionId);
    audit({
      subject: { type: 'session', id: sessionId },
      summary: 'Signed out.',
      changes: endingChanges(ended),
      unchanged: 'the session had already ended.',
      personId: userId,
    });
    return { ended: ended.length > 0 };
  },
});
