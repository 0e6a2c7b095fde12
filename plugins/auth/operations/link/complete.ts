import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, optional, text } from '#core/kernel/schema/schema.js';
import { challengeIdIn, isLinkToken } from '../../challenges/secrets.js';
import { completeChallenge, findChallenge, whyClosed } from '../../challenges/tries.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { replaySeconds } from '../../sessions/tokens.js';
import { completeProof, completionErrors, completionEvents } from '../../signin/complete-proof.js';
import { completePerIp } from '../../signin/limits.js';
import { SignInResult } from '../../signin/result.js';
import { requireAddress, targetOf } from '../../challenges/return-target.js';

export default defineOperation({
  name: 'auth.link.complete',
  summary: 'Completes a sign-in from the page that a magic link opened. Returns tokens or the next step.',
  description:
    'The page asks for a click, so that a mail scanner cannot use up the link. A link works once and expires after 15 minutes.',
  keywords: 'login magic link passwordless session token',
  access: 'publishable',
  limits: [completePerIp],
  showsSecret: 'stored encrypted',
  replaySeconds,
  input: object({
    token: text('The query parameter `token` of the link.', { minLength: 1, maxLength: 200 }),
    handoff: optional(boolean('Whether to return `redirectTo` with an svc_code. Default: as the sign-in was started.')),
  }),
  output: SignInResult,
  errors: ['challenge_expired', 'challenge_used', 'not_a_link', ...completionErrors],
  events: ['auth.link.completed', ...completionEvents],
  example: {
    input: { token: '01890a5d-ac96-774b-bcce-b302099a9011.Zk3x0eXampleSecret' },
    output: { status: 'complete', tokens: exampleTokens, user: exampleUser, mfa: null, redirectTo: null },
  },

  async handle({ token, handoff }, context) {
    const { db, caller, emit, fail } = context;
    const { environment } = caller;
    const id = challengeIdIn(token);
    const challenge =
      id === undefined ? null : await findChallenge(db, environment, id, ['signin_link', 'signin_code', 'identity']);
    if (challenge && challenge.purpose !== 'signin_link') throw fail.not_a_link();
    if (!challenge || !isLinkToken(challenge, token))
      throw fail.not_found({ thing: 'magic link', lookup: 'the email with the link' });
    const target = targetOf(challenge, handoff);
    requireAddress(fail, target);
    if (!(await completeChallenge(context, challenge.id))) {
      const reason = await whyClosed(context, challenge.id);
      throw fail[reason === 'challenge_used' ? reason : 'challenge_expired']({ start: 'auth.signin.start' });
    }
    const proven = ({ id: userId }: { id: string }): void =>
      void emit('auth.link.completed', { subjectId: userId, personId: userId, data: { userId } });
    return completeProof(context, environment, challenge, { method: 'link', target, proven });
  },
});
