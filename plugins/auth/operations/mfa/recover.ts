import { isRefusal } from '#core/kernel/errors/errors.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, count, object, optional, text } from '#core/kernel/schema/schema.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { exampleMfaToken, mfaToken, beginTry, completeSecondStep, refuseCode } from '../../signin/second-step.js';
import { countRecoveryCodes, spendRecoveryCode } from '../../factors/recovery-codes.js';
import { sendSecurityNotice } from '../../mails/send.js';
import { replaySeconds } from '../../sessions/tokens.js';
import { signInResult } from '../../signin/result.js';

export default defineOperation({
  name: 'auth.mfa.recover',
  summary: 'Completes two-step sign-in with a one-time recovery code.',
  description:
    'For a user who has lost the authenticator app. The user receives a notice by email. Each mfaToken accepts five attempts, together with auth.mfa.verify.',
  keywords: 'two-step 2fa backup code lost phone login',
  access: 'publishable',
  showsSecret: 'stored encrypted',
  replaySeconds,
  input: object({
    mfaToken,
    recoveryCode: text('XXXXX-XXXXX. Case, hyphens and white space are ignored.', { minLength: 1, maxLength: 64 }),
    handoff: optional(boolean('Whether to return `redirectTo` with an svc_code. Default: as in the first step.')),
  }),
  output: object({ ...signInResult, remainingRecoveryCodes: count('The number of recovery codes left.') }),
  errors: ['mfa_token_invalid', 'wrong_code', 'challenge_locked', 'user_banned'],
  events: ['auth.signin.completed', 'auth.mfa.recovery_used', 'auth.mfa.failed'],
  example: {
    input: { mfaToken: exampleMfaToken, recoveryCode: '7KQ2M-X9D4T' },
    output: {
      status: 'complete',
      tokens: exampleTokens,
      user: exampleUser,
      mfa: null,
      redirectTo: null,
      remainingRecoveryCodes: 9,
    },
  },

  async handle({ recoveryCode, ...input }, context) {
    const { db, vault, clock, emit, caller } = context;
    const { environment } = caller;
    const step = await beginTry(context, environment, input);
    if (isRefusal(step)) return step;
    const { id: userId } = step.user;
    if (!(await spendRecoveryCode(db, vault, userId, recoveryCode, clock.now())))
      return refuseCode(context, environment, step, 'Let the user enter another recovery code. Each code works once.');
    const signedIn = await completeSecondStep(context, environment, step, 'recovery_code');
    const remainingRecoveryCodes = await countRecoveryCodes(db, userId);
    emit('auth.mfa.recovery_used', { subjectId: userId, personId: userId, data: { userId } }, environment);
    await sendSecurityNotice(context, environment, step.user, 'recovery_used');
    return { ...signedIn, remainingRecoveryCodes };
  },
});
