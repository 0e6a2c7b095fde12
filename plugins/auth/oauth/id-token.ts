import { compactVerify, createLocalJWKSet, errors } from 'jose';
import { readDocument, renewDocument } from './documents.js';
import type { Outbound, ProviderAnswer } from '../providers/outbound.js';
import { publishedKeys, unusableKeyProblem } from './published-keys.js';

/** Only signatures with public keys: with HS256, anyone who knows the client secret could sign. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * Verifies an ID token’s signature with the provider’s published keys. Keys are kept for ten minutes. If no key fits
 * the token, they are read again, at most once a minute: the provider may use another key, under the same `kid` or
 * without one.
 * @throws ProviderProblem, or an error of jose
 */
export async function verifySignature(outbound: Outbound, jwksUri: string, idToken: string): Promise<void> {
  const known = await readDocument(outbound, jwksUri);
  try {
    await verifyWith(known, idToken);
  } catch (error) {
    if (!isKeyError(error)) throw error;
    // Another sign-in may have caused them to be read in the meantime.
    const renewed = (await renewDocument(outbound, jwksUri)) ?? (await readDocument(outbound, jwksUri));
    if (renewed === known) throw unusableKeyProblem(publishedKeys(known), idToken) ?? error;
    await verifyRenewed(renewed, idToken);
  }
}

async function verifyRenewed(answer: ProviderAnswer, idToken: string): Promise<void> {
  try {
    await verifyWith(answer, idToken);
  } catch (error) {
    throw isKeyError(error) ? (unusableKeyProblem(publishedKeys(answer), idToken) ?? error) : error;
  }
}

/** No published key that can be used verifies the token. */
const isKeyError = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;

async function verifyWith(answer: ProviderAnswer, idToken: string): Promise<void> {
  const { usable } = publishedKeys(answer);
  try {
    await compactVerify(idToken, createLocalJWKSet({ keys: usable }), { algorithms });
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) await verifyWithAny(error, idToken);
    // jose throws a TypeError for a key that does not fit the token's algorithm.
    else throw error instanceof TypeError ? new errors.JWKSNoMatchingKey() : error;
  }
}

/** For a token without a key id, from a provider that publishes several keys: each key is tried. */
async function verifyWithAny(keys: errors.JWKSMultipleMatchingKeys, idToken: string): Promise<void> {
  for await (const key of keys)
    try {
      await compactVerify(idToken, key, { algorithms });
      return;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed || error instanceof TypeError)) throw error;
    }
  throw new errors.JWSSignatureVerificationFailed();
}
