import { examplePasskey, exampleUser } from '../examples.js';
import { creationOptions, requestOptions, userHandleOf } from './options.js';
import type { AuthenticationResponseValue, RegistrationResponseValue } from './webauthn-json.js';

export const exampleChallengeId = '01890a5d-ac96-774b-bcce-b302099a9011';

const challenge = 'dTUNkFdF1P7dFoMZfSuHTXy0lSGpLcZRdvgTxgVg8VQ';
const rpId = 'svc.example.com';

export const exampleRequestOptions = requestOptions(challenge, rpId);

export const exampleCreationOptions = creationOptions({
  challenge,
  rpId,
  rpName: 'Shop',
  user: exampleUser,
  label: 'ada@example.com',
  existing: [],
});

const credential = {
  id: examplePasskey.credentialId,
  rawId: examplePasskey.credentialId,
  type: 'public-key' as const,
  clientExtensionResults: {},
};

/** Shortened: base64url of JSON, CBOR and bytes. */
export const exampleRegistration: RegistrationResponseValue = {
  ...credential,
  response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
};

export const exampleAuthentication: AuthenticationResponseValue = {
  ...credential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
    signature: 'MEUCIQDKg1ZB',
    userHandle: userHandleOf(exampleUser.id),
  },
};
