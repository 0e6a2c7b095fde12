import {
  anything,
  boolean,
  integer,
  list,
  map,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  type ValueOf,
} from '#core/kernel/schema/schema.js';

/*
 * The JSON forms of WebAuthn Level 3, section 5.1: the input of `PublicKeyCredential.parseCreationOptionsFromJSON` and
 * `parseRequestOptionsFromJSON`, and the result of a credential's `toJSON()`.
 */

const base64url = (description: string, maxLength: number): ReturnType<typeof text> =>
  text(description, { minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });

const credentialType = oneOf(['public-key'], 'The kind of credential.');
/** At most 1,023 bytes (section 4). */
const credentialId = base64url('The credential’s id.', 1_400);
const clientDataJSON = base64url('What the browser signed: challenge, origin and type.', 8_192);
const authenticatorData = base64url('What the authenticator signed.', 65_536);

const descriptor = object({
  id: text('The credential’s id.'),
  type: credentialType,
  transports: optional(list(text(), 'How the browser may reach it.')),
});

export const CreationOptions = named(
  'PublicKeyCredentialCreationOptionsJSON',
  object(
    {
      rp: object(
        { id: text('The domain that the passkey is bound to.'), name: text('Shown to the user.') },
        { description: 'The relying party.' },
      ),
      user: object(
        {
          id: text('The user handle: the user’s id, base64url.'),
          name: text('Shown to the user.'),
          displayName: text('Shown to the user.'),
        },
        { description: 'The user that the passkey is created for.' },
      ),
      challenge: text('Random; valid once, for five minutes.'),
      pubKeyCredParams: list(
        object({ type: credentialType, alg: integer('The COSE algorithm.') }),
        'The accepted algorithms, best first.',
      ),
      timeout: integer('Milliseconds.'),
      excludeCredentials: list(descriptor, 'The passkeys that the user already has.'),
      authenticatorSelection: object(
        {
          residentKey: oneOf(['required'], 'Requires a discoverable credential.'),
          requireResidentKey: boolean('The same, for older browsers.'),
          userVerification: oneOf(['preferred'], 'The device verifies the person if it can.'),
        },
        { description: 'Which authenticators may be used.' },
      ),
      attestation: oneOf(['none'], 'No attestation statement is requested.'),
      extensions: object(
        { credProps: boolean('Requests whether the credential is discoverable.') },
        { description: 'Extensions requested from the browser.' },
      ),
    },
    {
      description:
        'Pass it to `PublicKeyCredential.parseCreationOptionsFromJSON`, then to `navigator.credentials.create`.',
    },
  ),
);

export const RequestOptions = named(
  'PublicKeyCredentialRequestOptionsJSON',
  object(
    {
      challenge: text('Random; valid once, for five minutes.'),
      timeout: integer('Milliseconds.'),
      rpId: text('The domain that the passkeys are bound to.'),
      allowCredentials: list(descriptor, 'Always empty: the user picks one of the passkeys on the device.'),
      userVerification: oneOf(['preferred'], 'The device verifies the person if it can.'),
    },
    {
      description: 'Pass it to `PublicKeyCredential.parseRequestOptionsFromJSON`, then to `navigator.credentials.get`.',
    },
  ),
);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: credentialType,
  authenticatorAttachment: optional(nullable(text('platform or cross-platform.', { maxLength: 32 }))),
  clientExtensionResults: optional(nullable(map(anything(), 'Ignored.'))),
};

export const RegistrationResponse = named(
  'RegistrationResponseJSON',
  object(
    {
      ...credential,
      response: object(
        {
          clientDataJSON,
          attestationObject: base64url('The new credential.', 65_536),
          transports: optional(
            nullable(list(text(undefined, { maxLength: 32 }), 'How the browser may reach it.', { maxItems: 10 })),
          ),
          authenticatorData: optional(nullable(authenticatorData)),
          publicKey: optional(nullable(text('Ignored; read from `attestationObject`.', { maxLength: 8_192 }))),
          publicKeyAlgorithm: optional(nullable(integer('Ignored; read from `attestationObject`.'))),
        },
        { description: 'What the authenticator created.', unknownIgnored: true },
      ),
    },
    { description: 'The `toJSON()` of the result of `navigator.credentials.create`.', unknownIgnored: true },
  ),
);

export const AuthenticationResponse = named(
  'AuthenticationResponseJSON',
  object(
    {
      ...credential,
      response: object(
        {
          clientDataJSON,
          authenticatorData,
          signature: base64url('The authenticator’s signature.', 8_192),
          userHandle: optional(nullable(text('The user’s id, base64url.', { maxLength: 128 }))),
        },
        { description: 'What the authenticator signed.', unknownIgnored: true },
      ),
    },
    { description: 'The `toJSON()` of the result of `navigator.credentials.get`.', unknownIgnored: true },
  ),
);

export type CreationOptionsValue = ValueOf<typeof CreationOptions>;
export type RequestOptionsValue = ValueOf<typeof RequestOptions>;
export type RegistrationResponseValue = ValueOf<typeof RegistrationResponse>;
export type AuthenticationResponseValue = ValueOf<typeof AuthenticationResponse>;
