import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Vault, Cell } from '#core/runtime/secrets/vault.js';
import { newId } from '#core/runtime/id.js';
import type { SigningKeyRow, SigningAlgorithm } from '../tables/signing-key.js';

const generate = promisify(generateKeyPair);

/** Generates a key pair outside the event loop: RSA takes a tenth of a second or more. */
async function makePair(algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  if (algorithm === 'ES256') return generate('ec', { namedCurve: 'P-256' });
  if (algorithm === 'RS256') return generate('rsa', { modulusLength: 2048 });
  return generate('ed25519');
}

const cellOf = (keyId: string): Cell => ({ table: 'auth_signing_key', column: 'private_key', row: keyId });

/** A new key that will sign for an environment. @param signsFrom null for immediately */
export async function makeSigningKey(
  vault: Vault,
  environmentId: string,
  algorithm: SigningAlgorithm,
  now: Date,
  signsFrom: Date | null = null,
): Promise<SigningKeyRow> {
  const { privateKey, publicKey } = await makePair(algorithm);
  const id = newId();
  const jwk = Object.entries(publicKey.export({ format: 'jwk' }));
  return {
    id,
    environmentId,
    activeEnvironmentId: environmentId,
    algorithm,
    status: 'active',
    publicJwk: Object.fromEntries(jwk.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
    privateKey: vault.seal(privateKey.export({ type: 'pkcs8', format: 'der' }), cellOf(id)),
    createdAt: now,
    signsFrom,
    retiresAt: null,
  };
}

/** The decrypted private key. @throws SealedValueError */
export const openPrivateKey = (vault: Vault, keyId: string, sealed: Buffer): Buffer =>
  vault.open(sealed, cellOf(keyId));

/** Public keys by id. A key never changes, and whether it is valid is read each time. */
const parsed = new Map<string, KeyObject>();
const maxParsed = 1_000;

/** The public key in the form that node:crypto accepts. */
export function publicKeyOf({ id, publicJwk }: Pick<SigningKeyRow, 'id' | 'publicJwk'>): KeyObject {
  const known = parsed.get(id);
  if (known) return known;
  const key = createPublicKey({ key: publicJwk, format: 'jwk' });
  if (parsed.size >= maxParsed) parsed.clear();
  parsed.set(id, key);
  return key;
}
