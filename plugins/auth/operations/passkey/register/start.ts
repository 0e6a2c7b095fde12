import { perUser } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { directory } from '#plugins/account/ports.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { startCeremony } from '../../../passkeys/ceremony.js';
import { exampleChallengeId, exampleCreationOptions } from '../../../examples.js';
import { relyingParty } from '../../../passkeys/relying-party.js';
import { registrationOptions } from '../../../passkeys/options.js';
import { CreationOptions } from '../../../passkeys/webauthn-json.js';
import { loadSettings } from '../../../settings/load.js';
import { requireEnabled } from '../../../signin/enabled.js';
import { findUser } from '../../../users/find.js';

const name = 'auth.passkey.register.start';

export default defineOperation({
  name,
  summary: 'Starts adding a passkey to the signed-in user and returns the WebAuthn creation options.',
  description:
    'Pass the options to navigator.credentials.create. The passkey is a discoverable credential, which can be used without entering an address. It is bound to the relying party: the setting passkeys.rpId or, by default, the host of svc’s own pages. The challenge is valid once, for five minutes. If a second factor is active, the session must have passed it.',
  keywords: 'webauthn fido biometric fingerprint face touch id add create attestation options',
  access: 'user',
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  limits: [perUser({ name, max: 10, windowSeconds: 3600, description: '10 per hour per user' })],
  input: object({ accessToken }),
  output: object({ challengeId: uuid('For auth.passkey.register.verify.'), options: CreationOptions }),
  errors: ['method_disabled'],
  example: {
    input: { accessToken: exampleAccessToken },
    output: { challengeId: exampleChallengeId, options: exampleCreationOptions },
  },

  async handle(_input, context) {
    const { db, caller, deployment, use, audit, fail } = context;
    const { environment } = caller;
    const { userId, label } = caller.user;
    const settings = await loadSettings(db, environment.id);
    requireEnabled(context, settings, 'passkey');
    const user = await findUser(db, environment.id, userId);
    if (!user) throw fail.token_invalid();
    const { brandName } = await use(directory).theme(environment);
    const { id, challenge } = await startCeremony(context, environment, 'passkey_register', userId);
    audit({
      subject: { type: 'user', id: userId },
      personId: userId,
      summary: `Started adding a passkey of ${label}.`,
      changes: [{ field: 'method', from: null, to: 'passkey' }],
    });
    const rpId = relyingParty(settings, deployment).id;
    const options = await registrationOptions(db, { challenge, rpId, rpName: brandName, user, label });
    return { challengeId: id, options };
  },
});
