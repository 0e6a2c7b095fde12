import { createPublicKey } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { isRecord } from '#core/runtime/json.js';
import type { ProviderAnswer } from '../providers/outbound.js';
import { ProviderProblem, quoted } from '../providers/provider-problem.js';

/** The shortest RSA keys that may sign (RFC 7518 sections 3.3 and 3.5). */
const leastRsaBits = 2048;

/** More keys of a set are not looked at: each that is read costs time. */
const maxKeys = 100;

/** A published key that cannot verify a signature. */
interface UnusableKey {
  readonly kid: string | null;
  readonly kty: string;
  /** The end of a sentence about the key. */
  readonly problem: string;
}

/** A provider's published keys. */
interface PublishedKeys {
  readonly usable: object[];
  readonly unusable: readonly UnusableKey[];
}

/**
 * Reads a key set. Keys that are not understood, are too weak or lack a value are left out, and the others are used
 * (RFC 7517 §5).
 * @throws ProviderProblem if the answer is not a key set
 */
export function publishedKeys({ status, body }: ProviderAnswer): PublishedKeys {
  if (status !== 200) throw new ProviderProblem('failed', `its key set was answered with HTTP status ${status}`);
  const usable: object[] = [];
  const unusable: UnusableKey[] = [];
  for (const key of keysIn(body).slice(0, maxKeys)) {
    const problem = problemOfKey(key);
    if (problem === undefined) usable.push(key);
    else unusable.push({ kid: textOf(key['kid']), kty: textOf(key['kty']) ?? '', problem });
  }
  return { usable, unusable };
}

function keysIn(body: Buffer): Record<string, unknown>[] {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (isRecord(parsed) && Array.isArray(parsed['keys'])) return parsed['keys'].filter(isRecord);
  } catch {
    // If it is not JSON, the problem is the same.
  }
  throw new ProviderProblem('failed', 'its published keys are not a JSON Web Key Set');
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The members that a public key needs, by its type (RFC 7518 section 6, RFC 8037). */
const members: Readonly<Record<string, readonly string[]>> = {
  RSA: ['n', 'e'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
};

const base64url = /^[A-Za-z0-9_-]+$/;

/** Why a key cannot verify signatures; undefined if it can. */
function problemOfKey(key: Record<string, unknown>): string | undefined {
  const kty = textOf(key['kty']) ?? '';
  const needed = members[kty];
  if (!needed) return 'has a type that svc does not use';
  const wrong = needed.find((name) => !base64url.test(textOf(key[name]) ?? ''));
  if (wrong !== undefined)
    return key[wrong] === undefined ? `has no “${wrong}”` : `cannot be read: its “${wrong}” is not base64url`;
  const bits = modulusLength(kty, needed, key);
  if (bits === undefined) return 'cannot be read';
  return kty === 'RSA' && bits < leastRsaBits
    ? `is an RSA key of ${bits} bits, and at least ${leastRsaBits} are needed`
    : undefined;
}

/** The length of an RSA key, 0 for other keys. @returns undefined for a key that cannot be read */
function modulusLength(kty: string, names: readonly string[], key: Record<string, unknown>): number | undefined {
  const facts = Object.fromEntries(['kty', ...names].map((name) => [name, textOf(key[name]) ?? '']));
  try {
    const { asymmetricKeyDetails: details } = createPublicKey({ key: facts, format: 'jwk' });
    return kty === 'RSA' ? (details?.modulusLength ?? 0) : 0;
  } catch {
    return undefined;
  }
}

/** The types of the keys that sign with an algorithm: RS256 by RSA. */
const typeOf = (alg: string): string => (/^(?:RS|PS)/.test(alg) ? 'RSA' : alg.startsWith('ES') ? 'EC' : 'OKP');

/**
 * The problem of a token whose signature no usable key verifies: it may be signed with one of the unusable ones.
 * @returns undefined if no unusable key fits the token
 */
export function unusableKeyProblem({ unusable }: PublishedKeys, idToken: string): ProviderProblem | undefined {
  const { kid, alg = '' } = decodeProtectedHeader(idToken);
  const fits = unusable.find(
    (key) => (kid === undefined || key.kid === null || key.kid === kid) && (key.kty === typeOf(alg) || key.kid === kid),
  );
  if (!fits) return undefined;
  const name = fits.kid === null ? 'its published key' : `its published key “${quoted(fits.kid)}”`;
  return new ProviderProblem('failed', `${name} ${fits.problem}`);
}
