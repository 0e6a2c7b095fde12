import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import type { PasskeyRow } from '../tables/passkey.js';
import { algorithms, userHandleOf } from './options.js';
import type { RelyingParty } from './relying-party.js';
import type { AuthenticationResponseValue, RegistrationResponseValue } from './webauthn-json.js';

/*
 * The library verifies. This file contains what it leaves to its caller. `overrides` in package.json keep one copy of
 * @peculiar/asn1-schema: with two, the library cannot read ECDSA signatures.
 */

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

/** The values that a ceremony was started with. */
interface Expected {
  challenge: string;
  relyingParty: RelyingParty;
}

/** WebAuthn Level 3, section 4. */
const maxCredentialIdBytes = 1_023;

/** The library repeats the caller's input in its messages. */
const maxProblemLength = 300;

/** The library throws for everything that it rejects, including bytes that it cannot read. */
async function rejecting<T>(verify: () => Promise<T | Rejected>): Promise<T | Rejected> {
  try {
    return await verify();
  } catch (error) {
    return { problem: (error instanceof Error ? error.message : 'it is malformed').slice(0, maxProblemLength) };
  }
}

/**
 * The library accepts frames of other sites if the browser does not name the site (section 7.1 step 10, section 7.2
 * step 13).
 */
const isOfAnotherSite = (clientDataJSON: string): boolean => decodeClientDataJSON(clientDataJSON).crossOrigin === true;
const inFrame: Rejected = { problem: 'it was made in a frame of another site' };

/**
 * The attestation without its statement. svc does not request a statement and concludes nothing from the model of an
 * authenticator. But the library would verify a statement if it is present, and fetch lists of revoked certificates
 * from addresses that the caller chose.
 */
function withoutStatement(attestationObject: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const none = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(none));
}

/**
 * Verifies a new credential (WebAuthn Level 3, section 7.1).
 * @returns the credential, or why it is rejected
 */
export const verifyRegistration = (
  { id, rawId, type, response }: RegistrationResponseValue,
  { challenge, relyingParty }: Expected,
): Promise<NewCredential | Rejected> =>
  rejecting(async () => {
    const { clientDataJSON } = response;
    if (isOfAnotherSite(clientDataJSON)) return inFrame;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject: withoutStatement(response.attestationObject) },
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: relyingParty.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return { problem: 'it is not valid' };
    const { credential, credentialBackedUp, aaguid } = registrationInfo;
    const size = Buffer.from(credential.id, 'base64url').length;
    if (credential.id !== id || size === 0 || size > maxCredentialIdBytes)
      return { problem: 'its credential has a different id' };
    return {
      credentialId: id,
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      backedUp: credentialBackedUp,
      aaguid,
    };
  });

/**
 * Verifies a sign-in with a passkey (WebAuthn Level 3, section 7.2). If two concurrent answers have the same signature
 * counter, the row decides (see `countSignature`).
 * @returns the authenticator's data, or why it is rejected
 */
export const verifyAssertion = (
  { id, rawId, type, response }: AuthenticationResponseValue,
  passkey: Pick<PasskeyRow, 'userId' | 'credentialId' | 'publicKey' | 'signCount'>,
  { challenge, relyingParty }: Expected,
): Promise<Assertion | Rejected> =>
  rejecting(async () => {
    const { authenticatorData, clientDataJSON, signature, userHandle } = response;
    if (rawId !== passkey.credentialId) return { problem: 'its credential has a different id' };
    // The options contained no credential, so the user handle identifies the user (section 7.2, step 6).
    if (userHandle !== userHandleOf(passkey.userId))
      return { problem: 'its user handle does not belong to the passkey’s user' };
    if (isOfAnotherSite(clientDataJSON)) return inFrame;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { authenticatorData, clientDataJSON, signature, userHandle },
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origins,
      expectedRPID: relyingParty.id,
      requireUserVerification: false,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.signCount,
      },
    });
    if (!verified) return { problem: 'its signature is not valid' };
    const { newCounter, credentialBackedUp, userVerified } = authenticationInfo;
    return { signCount: newCounter, backedUp: credentialBackedUp, userVerified };
  });
