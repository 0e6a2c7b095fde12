import {
  convertAAGUIDToString,
  decodeAttestationObject,
  decodeClientDataJSON,
  parseAuthenticatorData,
  type ParsedAuthenticatorData,
} from '@simplewebauthn/server/helpers';
import { equalBytes, sha256 } from '#core/runtime/secrets/digest.js';
import type { PasskeyRow } from '../tables/passkey.js';
import { userHandleOf } from './options.js';
import { credentialKey, isSignedBy } from './public-key.js';
import type { RelyingParty } from './relying-party.js';
import type { AuthenticationResponseValue, RegistrationResponseValue } from './webauthn-json.js';

/** Why a response is rejected, as the end of “The authenticator’s response could not be verified: …”. */
export interface Rejected {
  problem: string;
}

export interface NewCredential {
  /** base64url. */
  credentialId: string;
  /** COSE. */
  publicKey: Buffer;
  signCount: number;
  backedUp: boolean;
  aaguid: string;
}

export interface Assertion {
  signCount: number;
  backedUp: boolean;
  /** The authenticator checked a PIN or a fingerprint: the passkey counts as two factors. */
  userVerified: boolean;
}

/** What a ceremony was started with. */
interface Expected {
  challenge: string;
  relyingParty: RelyingParty;
}

/** WebAuthn Level 3, section 4. */
const maxCredentialIdBytes = 1_023;

/** A copy in an ArrayBuffer of its own, as the decoders take it. */
const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(base64url, 'base64url'));

/** What the browser says: section 7.1 steps 7 to 12, section 7.2 steps 10 to 15. */
function problemOfClient(json: string, type: string, { challenge, relyingParty }: Expected): string | null {
  const client = decodeClientDataJSON(json);
  if (client.type !== type) return `its type is not ${type}`;
  if (client.challenge !== challenge) return 'its challenge is another one';
  if (!relyingParty.origins.includes(client.origin))
    return `the page’s origin is none of ${relyingParty.origins.join(', ')}`;
  if (client.crossOrigin === true) return 'it was made in a frame of another site';
  return null;
}

/** What the authenticator says: section 7.1 steps 14 to 18, section 7.2 steps 16 to 20. */
function problemOfAuthenticator({ rpIdHash, flags }: ParsedAuthenticatorData, rpId: string): string | null {
  if (!equalBytes(rpIdHash, sha256(rpId))) return `it is not for the relying party ${rpId}`;
  if (!flags.up) return 'the user was not present';
  if (flags.bs && !flags.be) return 'it is backed up, and says that it cannot be';
  return null;
}

/** The decoders throw for bytes that they cannot read; what they say means nothing to people. */
function decoded<T>(read: () => T): T | Rejected {
  try {
    return read();
  } catch {
    return { problem: 'it is malformed' };
  }
}

/**
 * Verifies a new credential (WebAuthn Level 3, section 7.1). Attestation is not asked for, so its statement is not looked at: nothing
 * is concluded from the make of an authenticator.
 * @returns the credential, or why it is rejected
 */
export const verifyRegistration = (
  { id, rawId, response }: RegistrationResponseValue,
  expected: Expected,
): NewCredential | Rejected =>
  decoded(() => {
    const problem = problemOfClient(response.clientDataJSON, 'webauthn.create', expected);
    if (problem !== null) return { problem };
    const data = parseAuthenticatorData(decodeAttestationObject(bytesOf(response.attestationObject)).get('authData'));
    const said = problemOfAuthenticator(data, expected.relyingParty.id);
    if (said !== null) return { problem: said };
    const { credentialID, credentialPublicKey, aaguid, counter, flags } = data;
    if (!credentialID || !credentialPublicKey || !aaguid) return { problem: 'it has no credential' };
    const credentialId = Buffer.from(credentialID).toString('base64url');
    if (credentialID.length === 0 || credentialID.length > maxCredentialIdBytes || id !== credentialId || rawId !== id)
      return { problem: 'its credential has another id' };
    if (!credentialKey(credentialPublicKey)) return { problem: 'its algorithm was not asked for' };
    return {
      credentialId,
      publicKey: Buffer.from(credentialPublicKey),
      signCount: counter,
      backedUp: flags.bs,
      aaguid: convertAAGUIDToString(aaguid),
    };
  });

/**
 * Verifies a sign-in with a passkey (WebAuthn Level 3, section 7.2), all but the order of its signature counter, which the row decides
 * (see `countSignature`).
 * @returns what the authenticator says, or why it is rejected
 */
export const verifyAssertion = (
  { rawId, response }: AuthenticationResponseValue,
  passkey: Pick<PasskeyRow, 'userId' | 'credentialId' | 'publicKey'>,
  expected: Expected,
): Assertion | Rejected =>
  decoded(() => {
    if (rawId !== passkey.credentialId) return { problem: 'its credential has another id' };
    // The options named no credential, so the user handle says who signs in (section 7.2, step 6).
    if (response.userHandle !== userHandleOf(passkey.userId))
      return { problem: 'its user handle is not the passkey’s user' };
    const problem = problemOfClient(response.clientDataJSON, 'webauthn.get', expected);
    if (problem !== null) return { problem };
    const authenticatorData = bytesOf(response.authenticatorData);
    const data = parseAuthenticatorData(authenticatorData);
    const said = problemOfAuthenticator(data, expected.relyingParty.id);
    if (said !== null) return { problem: said };
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(response.clientDataJSON, 'base64url'))]);
    if (!isSignedBy(passkey.publicKey, signed, bytesOf(response.signature)))
      return { problem: 'its signature is not valid' };
    return { signCount: data.counter, backedUp: data.flags.bs, userVerified: data.flags.uv };
  });
