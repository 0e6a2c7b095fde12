import { sha256 } from '#core/runtime/secrets/digest.js';
import type { SigningKeyRow } from '../tables/signing-key.js';
import { verifyJwt, type Claims } from './jwt.js';
import { publicKeyOf } from './keys.js';

/**
 * Claims of tokens whose signature was checked, by key and digest of the token. The result for a signature never
 * changes; the validity of its key, its time and its session is checked on every call. Checking a signature takes
 * longer than everything else in a call.
 */
const verified = new Map<string, Claims>();
const maxVerified = 5_000;

/** The claims of a token that this key signed, like `verifyJwt`. Each token is verified once. */
export function verifiedClaims(
  token: string,
  key: Pick<SigningKeyRow, 'id' | 'publicJwk' | 'algorithm'>,
): Claims | null {
  const name = `${key.id} ${sha256(token).toString('base64')}`;
  const known = verified.get(name);
  if (known) return known;
  const claims = verifyJwt(token, publicKeyOf(key), key.algorithm);
  if (!claims) return null;
  if (verified.size >= maxVerified) verified.clear();
  verified.set(name, Object.freeze({ ...claims }));
  return claims;
}
