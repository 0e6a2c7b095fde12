import { defineOperation } from '#core/kernel/operation.js';
import { email, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { startCeremony } from '../../../passkeys/ceremony.js';
import { exampleChallengeId, exampleRequestOptions } from '../../../examples.js';
import { requestOptions } from '../../../passkeys/options.js';
import { relyingParty } from '../../../passkeys/relying-party.js';
import { RequestOptions } from '../../../passkeys/webauthn-json.js';
import { loadSettings } from '../../../settings/load.js';
import { requireEnabled } from '../../../signin/enabled.js';
import { startPerIp } from '../../../signin/limits.js';

export default defineOperation({
  name: 'auth.passkey.signin.start',
  summary: 'Starts a passkey sign-in and returns the WebAuthn request options for discoverable credentials.',
  description:
    'Pass the options to navigator.credentials.get. They name no passkeys, with or without an address, so they do not reveal whether a user exists: the browser offers the passkeys that the device has for the relying party. They also work with form autofill (mediation “conditional”). The challenge is valid once, for five minutes.',
  keywords: 'webauthn fido login biometric fingerprint face touch id authentication request options',
  access: 'publishable',
  limits: [startPerIp],
  input: object({
    email: optional(email('The address of the user, if the form already asked for it. The reply is the same.')),
  }),
  output: object({ challengeId: uuid('For auth.passkey.signin.verify.'), options: RequestOptions }),
  errors: ['method_disabled'],
  events: ['auth.signin.started'],
  example: { input: {}, output: { challengeId: exampleChallengeId, options: exampleRequestOptions } },

  async handle({ email: given }, context) {
    const { db, caller, deployment, audit, emit } = context;
    const { environment } = caller;
    const settings = await loadSettings(db, environment.id);
    requireEnabled(context, settings, 'passkey');
    const { id, challenge } = await startCeremony(context, environment, 'passkey_signin', null);
    audit({
      subject: { type: 'challenge', id },
      summary: 'Started a sign-in with a passkey.',
      changes: [{ field: 'method', from: null, to: 'passkey' }],
    });
    emit('auth.signin.started', {
      subjectId: id,
      data: { method: 'passkey', identityKind: given === undefined ? null : 'email' },
    });
    return { challengeId: id, options: requestOptions(challenge, relyingParty(settings, deployment).id) };
  },
});
