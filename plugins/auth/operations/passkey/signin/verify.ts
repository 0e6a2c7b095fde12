import { defineOperation } from '#core/kernel/operation.js';
import { boolean, object, optional, url, uuid } from '#core/kernel/schema/schema.js';
import { exampleTokens, exampleUser, exampleAuthentication, exampleChallengeId } from '../../../examples.js';
import { takeCeremony } from '../../../passkeys/ceremony.js';
import { relyingParty } from '../../../passkeys/relying-party.js';
import { countSignature, findCredential } from '../../../passkeys/store.js';
import { AuthenticationResponse } from '../../../passkeys/webauthn-json.js';
import { replaySeconds } from '../../../sessions/tokens.js';
import { loadSettings } from '../../../settings/load.js';
import { completeSignIn } from '../../../signin/complete.js';
import { bindingFields, readReturn } from '../../../challenges/return-target.js';
import { SignInResult } from '../../../signin/result.js';
import { lockUser } from '../../../users/find.js';

export default defineOperation({
  name: 'auth.passkey.signin.verify',
  summary:
    'Verifies the WebAuthn assertion and signs the user in. A passkey with user verification counts as two factors.',
  description:
    'Without user verification (a PIN, fingerprint or face), the user’s second factor is required. An assertion whose signature counter did not increase is rejected, because the key may have been copied.',
  keywords: 'webauthn fido login biometric fingerprint face touch id assertion',
  access: 'publishable',
  showsSecret: 'stored encrypted',
  replaySeconds,
  input: object({
    challengeId: uuid('From auth.passkey.signin.start.'),
    response: AuthenticationResponse,
    handoff: optional(boolean('Whether to return `redirectTo` with an svc_code.')),
    redirectTo: optional(url('Where the sign-in returns to: one of redirectUrls, or a hosted page.')),
    ...bindingFields,
  }),
  output: SignInResult,
  errors: ['passkey_rejected', 'challenge_expired', 'challenge_used', 'user_banned', 'redirect_not_allowed'],
  events: ['auth.signin.completed', 'auth.signin.failed', 'auth.mfa.required'],
  example: {
    input: { challengeId: exampleChallengeId, response: exampleAuthentication },
    output: { status: 'complete', tokens: exampleTokens, user: exampleUser, mfa: null, redirectTo: null },
  },

  prepareOnlyComputes: true,
  // Loaded on first use, because the library takes 40 MiB of memory.
  prepare: () => import('../../../passkeys/verify.js'),

  async handle({ challengeId, response, ...wanted }, context) {
    const { db, caller, clock, deployment, emit, refuse } = context;
    const { environment } = caller;
    const settings = await loadSettings(db, environment.id);
    // Check this before the challenge is taken: it is used up regardless of what follows.
    const target = readReturn(context, environment, settings, wanted);
    const { webauthnChallenge } = await takeCeremony(context, environment, {
      id: challengeId,
      purpose: 'passkey_signin',
    });
    const reject = (problem: string, userId: string | null) => {
      emit('auth.signin.failed', {
        subjectId: challengeId,
        ...(userId === null ? {} : { personId: userId }),
        data: { method: 'passkey', reason: 'passkey_rejected', userId },
      });
      return refuse.passkey_rejected({ problem, start: 'auth.passkey.signin.start' });
    };
    const passkey = await findCredential(db, environment.id, response.id);
    const user = passkey && (await lockUser(db, environment.id, passkey.userId));
    if (!passkey || !user) return reject('this passkey is not registered here', null);
    const expected = { challenge: webauthnChallenge, relyingParty: relyingParty(settings, deployment) };
    const verified = await context.prepared.verifyAssertion(response, passkey, expected);
    if ('problem' in verified) return reject(verified.problem, user.id);
    if (!(await countSignature(db, passkey.id, verified, clock.now())))
      return reject('its signature counter did not increase: the key may have been copied', user.id);
    return completeSignIn(context, environment, {
      user,
      method: 'passkey',
      openedBy: passkey.id,
      twoFactors: verified.userVerified,
      challengeId,
      target,
    });
  },
});
