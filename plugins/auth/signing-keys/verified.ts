import { sha256 } from '#core/runtime/secrets/digest.js';
import type { SigningKeyRow } from '../tables/signing-key.js';
import { verifyJwt, type Claims } from './jwt.js';
import { publicKeyOf } from './keys.js';

/**
 * Claims of tokens whose signature was checked, by key and digest of the token. What a signature says never changes; whether its key, its time
 * and its session count is checked on every call. Checking one takes longer than all else that a call does.
 */
const verified = new Map<string, Claims>();
const maxVerified = 5_000;

/** The claims of a token that this key signed, like `verifyJwt`, each token computed once. */
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
