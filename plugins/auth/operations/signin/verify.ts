import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { isCode } from '../../challenges/secrets.js';
import { completeTried, countTry, findChallenge, whyClosed, wrongCode } from '../../challenges/tries.js';
import {
  confirmWrongCode,
  countAsWrongCode,
  readWrongCodesOfIp,
  takeBackWrongCode,
} from '../../challenges/wrong-codes.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { replaySeconds } from '../../sessions/tokens.js';
import { settingsOfCall } from '../../settings/load.js';
import { completeProof, completionErrors, completionEvents, emitFailure } from '../../signin/complete-proof.js';
import { SignInResult } from '../../signin/result.js';
import { requireAddress, targetOf } from '../../challenges/return-target.js';

export default defineOperation({
  name: 'auth.signin.verify',
  summary:
    'Completes a code challenge. Issues tokens, asks for a second factor or, with handoff, returns the redirect URL with a one-time svc_code.',
  description:
    'Creates the user if the address is new and the environment accepts new users. Whether the address may sign up, or its user is banned, is revealed only after the code has proven the address. In 24 hours, an address or number accepts 10 wrong codes from one IP address and 50 from all IP addresses together; one IP address can enter 30 wrong codes in 10 minutes (rateLimits.completePerIp).',
  keywords: 'login otp confirm session token',
  access: 'publishable',
  showsSecret: 'stored encrypted',
  replaySeconds,
  input: object({
    challengeId: uuid('From auth.signin.start.'),
    code: text('The six digits.', { minLength: 1, maxLength: 32 }),
    handoff: optional(boolean('Whether to return `redirectTo` with an svc_code. Default: as the sign-in was started.')),
  }),
  output: SignInResult,
  errors: ['challenge_expired', 'challenge_locked', 'challenge_used', ...completionErrors, 'wrong_code'],
  events: [...completionEvents],
  example: {
    input: { challengeId: '01890a5d-ac96-774b-bcce-b302099a9010', code: '271828' },
    output: { status: 'complete', tokens: exampleTokens, user: exampleUser, mfa: null, redirectTo: null },
  },

  async handle({ challengeId, code, handoff }, context) {
    const { db, vault, caller, fail } = context;
    const { environment } = caller;
    // The limits of wrong codes need the settings. Requested together, they cost no extra round trip.
    const [challenge, wrongCodesOfIp] = await Promise.all([
      findChallenge(db, environment, challengeId, ['signin_code']),
      readWrongCodesOfIp(context, environment),
      settingsOfCall(context, environment.id),
    ]);
    if (!challenge) throw fail.not_found({ thing: 'challenge', lookup: 'auth.signin.start' });
    const target = targetOf(challenge, handoff);
    requireAddress(fail, target);
    const [, left] = await Promise.all([
      countAsWrongCode(context, environment, challenge, wrongCodesOfIp),
      countTry(context, challenge.id),
    ]);
    if (left === null) throw fail[await whyClosed(context, challenge.id)]({ start: 'auth.signin.start' });
    const method = challenge.identityKind === 'phone' ? 'sms' : 'code';
    if (!isCode(vault, challenge, code)) {
      await confirmWrongCode(context, environment, challenge);
      emitFailure(context, environment, challenge, method, 'wrong_code');
      return wrongCode(context, left, { again: 'auth.signin.verify', start: 'auth.signin.start' });
    }
    await takeBackWrongCode(context, environment, challenge);
    await completeTried(context, challenge.id);
    return completeProof(context, environment, challenge, { method, target });
  },
});
