import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { AuthenticationResponse, RegistrationResponse } from '../../passkeys/webauthn-json.js';

/*
 * What script.ts put into a form's field `response`. A field that is missing or not text is left empty here,
 * and the operation's own validation refuses it.
 */

interface Parsed {
  text(field: string): string;
  texts(field: string): string[];
}

function parsed(found: unknown): Parsed {
  const at = (field: string): unknown =>
    typeof found === 'object' && found !== null ? Reflect.get(found, field) : undefined;
  return {
    text: (field) => {
      const value = at(field);
      return typeof value === 'string' ? value : '';
    },
    texts: (field) => {
      const value = at(field);
      return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
    },
  };
}

function readResponse(field: string): { credential: Parsed; response: Parsed } {
  let found: unknown;
  try {
    found = JSON.parse(field);
  } catch {
    found = null; // not JSON: every field of it is empty
  }
  const inner: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, 'response') : undefined;
  return { credential: parsed(found), response: parsed(inner) };
}

/** The response of `navigator.credentials.get`. */
export function authenticationResponse(field: string): ValueOf<typeof AuthenticationResponse> {
  const { credential, response } = readResponse(field);
  const userHandle = response.text('userHandle');
  return {
    id: credential.text('id'),
    rawId: credential.text('rawId'),
    type: 'public-key',
    response: {
      authenticatorData: response.text('authenticatorData'),
      clientDataJSON: response.text('clientDataJSON'),
      signature: response.text('signature'),
      ...(userHandle === '' ? {} : { userHandle }),
    },
  };
}

/** The response of `navigator.credentials.create`. */
export function registrationResponse(field: string): ValueOf<typeof RegistrationResponse> {
  const { credential, response } = readResponse(field);
  return {
    id: credential.text('id'),
    rawId: credential.text('rawId'),
    type: 'public-key',
    response: {
      clientDataJSON: response.text('clientDataJSON'),
      attestationObject: response.text('attestationObject'),
      transports: response.texts('transports'),
    },
  };
}
