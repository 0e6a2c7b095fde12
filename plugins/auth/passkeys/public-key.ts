import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';

const { COSEALG, COSECRV, COSEKEYS } = cose;

/** A public key with the one algorithm that it may be used with. */
interface CredentialKey {
  key: KeyObject;
  /** The hash of node:crypto; null where the algorithm has its own. */
  hash: 'sha256' | null;
}

const base64url = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('base64url');
const keyOf = (jwk: JsonWebKey): KeyObject => createPublicKey({ key: jwk, format: 'jwk' });

/**
 * The key of a credential (RFC 9053).
 * @param publicKey COSE
 * @returns null for another algorithm than those offered
 * @throws Error for bytes that are no key
 */
export function credentialKey(publicKey: Uint8Array): CredentialKey | null {
  const decoded = decodeCredentialPublicKey(Uint8Array.from(publicKey));
  const algorithm = decoded.get(COSEKEYS.alg);
  if (algorithm === COSEALG.ES256 && cose.isCOSEPublicKeyEC2(decoded) && decoded.get(COSEKEYS.crv) === COSECRV.P256) {
    const [x, y] = [base64url(decoded.get(COSEKEYS.x)), base64url(decoded.get(COSEKEYS.y))];
    return { key: keyOf({ kty: 'EC', crv: 'P-256', x, y }), hash: 'sha256' };
  }
  if (algorithm === COSEALG.EdDSA && cose.isCOSEPublicKeyOKP(decoded) && decoded.get(COSEKEYS.crv) === COSECRV.ED25519)
    return { key: keyOf({ kty: 'OKP', crv: 'Ed25519', x: base64url(decoded.get(COSEKEYS.x)) }), hash: null };
  if (algorithm === COSEALG.RS256 && cose.isCOSEPublicKeyRSA(decoded)) {
    const [n, e] = [base64url(decoded.get(COSEKEYS.n)), base64url(decoded.get(COSEKEYS.e))];
    return { key: keyOf({ kty: 'RSA', n, e }), hash: 'sha256' };
  }
  return null;
}

/** Whether the credential's key made this signature. ECDSA signatures are in DER (WebAuthn Level 3, section 6.5.5). */
export function isSignedBy(publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  const found = credentialKey(publicKey);
  return found !== null && verify(found.hash, data, found.key, signature);
}
