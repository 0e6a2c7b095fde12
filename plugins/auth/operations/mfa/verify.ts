import { isRefusal } from '#core/kernel/errors/errors.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, optional, text } from '#core/kernel/schema/schema.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { checkTotpCode } from '../../factors/check-code.js';
import {
  exampleMfaToken,
  mfaToken,
  beginTry,
  completeSecondStep,
  refuseCode,
  refuseUntil,
} from '../../signin/second-step.js';
import { lockActiveFactor } from '../../factors/store.js';
import { replaySeconds } from '../../sessions/tokens.js';
import { SignInResult } from '../../signin/result.js';

export default defineOperation({
  name: 'auth.mfa.verify',
  summary: 'Completes two-step sign-in with a TOTP code. Each code is accepted only once.',
  description:
    'The codes of the 30 seconds before and after are accepted too. Each mfaToken accepts five attempts. In 24 hours, a user can enter 10 wrong codes from one IP address and 25 from all IP addresses together; recovery codes (auth.mfa.recover) still work after that.',
  keywords: 'two-step 2fa totp otp authenticator one-time password login',
  access: 'publishable',
  showsSecret: 'stored encrypted',
  replaySeconds,
  input: object({
    mfaToken,
    code: text('Six digits. White space is ignored.', { minLength: 1, maxLength: 32 }),
    handoff: optional(boolean('Whether to return `redirectTo` with an svc_code. Default: as in the first step.')),
  }),
  output: SignInResult,
  errors: ['mfa_token_invalid', 'wrong_code', 'challenge_locked', 'user_banned'],
  events: ['auth.signin.completed', 'auth.mfa.failed'],
  example: {
    input: { mfaToken: exampleMfaToken, code: '492039' },
    output: { status: 'complete', tokens: exampleTokens, user: exampleUser, mfa: null, redirectTo: null },
  },

  async handle({ code, ...input }, context) {
    const { environment } = context.caller;
    const step = await beginTry(context, environment, input);
    if (isRefusal(step)) return step;
    const factor = await lockActiveFactor(context.db, step.user.id);
    if (!factor) throw context.fail.mfa_token_invalid();
    const checked = await checkTotpCode(context, factor, code);
    if (checked.accepted) return completeSecondStep(context, environment, step, 'totp');
    if (checked.lockedUntil) return refuseUntil(context, environment, step, checked.lockedUntil);
    return refuseCode(
      context,
      environment,
      step,
      'Let the user enter the code that the app shows now. Each code works once.',
    );
  },
});
