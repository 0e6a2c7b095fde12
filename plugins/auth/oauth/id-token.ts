import { compactVerify, createLocalJWKSet, errors } from 'jose';
import { readDocument, renewDocument } from './documents.js';
import type { Outbound, ProviderAnswer } from '../providers/outbound.js';
import { ProviderProblem } from '../providers/provider-problem.js';

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
    if (!(error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed))
      throw error;
    // Another sign-in may have caused them to be read in the meantime.
    const renewed = (await renewDocument(outbound, jwksUri)) ?? (await readDocument(outbound, jwksUri));
    if (renewed === known) throw error;
    await verifyWith(renewed, idToken);
  }
}

async function verifyWith({ status, body }: ProviderAnswer, idToken: string): Promise<void> {
  if (status !== 200) throw new ProviderProblem('failed', `its key set was answered with HTTP status ${status}`);
  try {
    await compactVerify(idToken, createLocalJWKSet(keySetFrom(body)), { algorithms });
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    await verifyWithAny(error, idToken);
  }
}

/** For a token without a key id, from a provider that publishes several keys: each key is tried. */
async function verifyWithAny(keys: errors.JWKSMultipleMatchingKeys, idToken: string): Promise<void> {
  for await (const key of keys)
    try {
      await compactVerify(idToken, key, { algorithms });
      return;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  throw new errors.JWSSignatureVerificationFailed();
}

function keySetFrom(body: Buffer): { keys: object[] } {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (isKeySet(parsed)) return parsed;
  } catch {
    // If it is not JSON, the problem is the same.
  }
  throw new ProviderProblem('failed', 'its published keys are not a JSON Web Key Set');
}

const isKeySet = (value: unknown): value is { keys: object[] } =>
  typeof value === 'object' &&
  value !== null &&
  'keys' in value &&
  Array.isArray(value.keys) &&
  value.keys.every((key) => typeof key === 'object' && key !== null);
