import { newFields } from '#core/kernel/audit/changes.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import { defineOperation } from '#core/kernel/operation.js';
import { filledText, object, optional, uuid } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { directory } from '#plugins/account/ports.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { examplePasskey, exampleChallengeId, exampleRegistration } from '../../../examples.js';
import { findActiveFactor } from '../../../factors/store.js';
import { sendSecurityNotice } from '../../../mails/send.js';
import { passkeyName } from '../../../passkeys/authenticators.js';
import { takeCeremony } from '../../../passkeys/ceremony.js';
import { relyingParty } from '../../../passkeys/relying-party.js';
import { Passkey } from '../../../passkeys/resources.js';
import { presentPasskey } from '../../../passkeys/store.js';
import { RegistrationResponse } from '../../../passkeys/webauthn-json.js';
import { loadSettings } from '../../../settings/load.js';
import { passkeys, type PasskeyRow } from '../../../tables/passkey.js';
import { lockOwnUser } from '../../../users/find.js';

const operation = 'auth.passkey.register.verify';

export default defineOperation({
  name: operation,
  summary: 'Verifies the WebAuthn attestation and stores the passkey.',
  description:
    'Without a name, the passkey is named after the password manager or the browser that created it. No attestation statement is requested, so the make of the authenticator is not verified. If a second factor has become active, the session must have passed it.',
  keywords: 'webauthn fido add create attestation response save',
  access: 'user',
  needs: { secondFactorIfActive: true, notImpersonated: true },
  input: object({
    accessToken,
    challengeId: uuid('From auth.passkey.register.start.'),
    response: RegistrationResponse,
    name: optional(filledText('The user’s name for the passkey, such as “MacBook”.', 120)),
  }),
  output: object({ passkey: Passkey }),
  errors: ['passkey_rejected', 'challenge_expired', 'challenge_used', 'passkey_exists'],
  events: ['auth.passkey.added'],
  example: {
    input: {
      accessToken: exampleAccessToken,
      challengeId: exampleChallengeId,
      response: exampleRegistration,
      name: examplePasskey.name,
    },
    output: { passkey: examplePasskey },
  },

  prepareOnlyComputes: true,
  // Loaded on first use, because the library takes 40 MiB of memory.
  prepare: () => import('../../../passkeys/verify.js'),

  async handle({ challengeId, response, name }, context) {
    const { db, caller, clock, deployment, audit, emit, fail, refuse, use } = context;
    const { environment, request } = caller;
    const { userId, label, secondFactor } = caller.user;
    const user = await lockOwnUser(db, caller);
    // The factor may have been activated since the start: a session with one factor must not add a passkey that passes
    // both steps.
    if (!secondFactor && (await findActiveFactor(db, userId))) throw fail.mfa_required({ operation });
    const settings = await loadSettings(db, environment.id);
    const { webauthnChallenge } = await takeCeremony(context, environment, {
      id: challengeId,
      purpose: 'passkey_register',
      userId,
    });
    const expected = { challenge: webauthnChallenge, relyingParty: relyingParty(settings, deployment) };
    const verified = await context.prepared.verifyRegistration(response, expected);
    if ('problem' in verified)
      return refuse.passkey_rejected({ problem: verified.problem, start: 'auth.passkey.register.start' });
    const languages = [user.locale, await use(directory).locale(environment.projectId)].filter((tag) => tag !== null);
    const row: PasskeyRow = {
      ...verified,
      id: newId(),
      environmentId: environment.id,
      userId,
      name: name === undefined ? passkeyName(verified.aaguid, request.userAgent, languages) : plainName('name', name),
      transports: response.response.transports ?? [],
      createdAt: clock.now(),
      lastUsedAt: null,
    };
    try {
      await db.insert(passkeys, row);
    } catch (error) {
      // The unique key decides, so an authenticator cannot be added twice at the same time.
      if (isDuplicate(error, 'credential')) throw fail.passkey_exists();
      throw error;
    }
    const passkey = presentPasskey(row);
    audit({
      subject: { type: 'user', id: userId },
      personId: userId,
      summary: `Added a passkey of ${label}.`,
      changes: newFields(passkey, ['name', 'credentialId', 'backedUp', 'aaguid']),
    });
    emit('auth.passkey.added', { subjectId: userId, personId: userId, data: { userId, passkey } });
    await sendSecurityNotice(context, environment, user, 'passkey_added', { what: row.name });
    return { passkey };
  },
});
