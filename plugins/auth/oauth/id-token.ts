import { compactVerify, createLocalJWKSet, errors } from 'jose';
import { readDocument, renewDocument } from './documents.js';
import type { Outbound, ProviderAnswer } from './outbound.js';
import { ProviderProblem } from './provider-problem.js';

/** Signatures with public keys alone: with HS256 whoever knows the client secret could sign. */
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
 * Verifies an ID token’s signature with the provider’s published keys. Keys are kept for ten minutes; a token that names an unknown one
 * has them read again, at most once a minute.
 * @throws ProviderProblem, or an error of jose
 */
export async function verifySignature(outbound: Outbound, jwksUri: string, idToken: string): Promise<void> {
  try {
    await verifyWith(await readDocument(outbound, jwksUri), idToken);
  } catch (error) {
    const renewed = error instanceof errors.JWKSNoMatchingKey ? await renewDocument(outbound, jwksUri) : undefined;
    if (!renewed) throw error;
    await verifyWith(renewed, idToken);
  }
}

async function verifyWith({ status, body }: ProviderAnswer, idToken: string): Promise<void> {
  if (status !== 200) throw new ProviderProblem('failed', `its keys were answered with the HTTP status ${status}`);
  await compactVerify(idToken, createLocalJWKSet(keySetFrom(body)), { algorithms });
}

function keySetFrom(body: Buffer): { keys: object[] } {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (isKeySet(parsed)) return parsed;
  } catch {
    // Not JSON: the same problem.
  }
  throw new ProviderProblem('failed', 'its published keys are not a JSON Web Key Set');
}

const isKeySet = (value: unknown): value is { keys: object[] } =>
  typeof value === 'object' &&
  value !== null &&
  'keys' in value &&
  Array.isArray(value.keys) &&
  value.keys.every((key) => typeof key === 'object' && key !== null);
