import type { ReadSession } from '#core/runtime/database/read-session.js';
import { isId } from '#core/runtime/id-form.js';
import { claimedIn, type Claims } from '../signing-keys/jwt.js';
import { isPublished } from '../signing-keys/present.js';
import { verifiedClaims } from '../signing-keys/verified.js';
import { keyAndSession, type FoundSession } from './read.js';

/** Why an access token does not count. */
export const tokenProblems = ['malformed', 'wrong_signature', 'wrong_environment', 'expired', 'session_ended'] as const;
export type TokenProblem = (typeof tokenProblems)[number];

export type CheckedToken = (FoundSession & { valid: true; claims: Claims }) | { valid: false; problem: TokenProblem };

const invalid = (problem: TokenProblem): CheckedToken => ({ valid: false, problem });

/**
 * Checks an access token online: form, signature by the key that it names with that key's one algorithm, issuer, audience, expiry, and
 * whether its session still lives. Bans are the caller's to check.
 * @param issuer the deployment's base URL
 */
export async function checkAccessToken(
  db: ReadSession,
  issuer: string,
  environmentId: string,
  token: string,
  now: Date,
): Promise<CheckedToken> {
  const { keyId, sessionId } = claimedIn(token) ?? {};
  if (keyId === undefined || sessionId === undefined || !isId(keyId) || !isId(sessionId)) return invalid('malformed');
  const { key, found } = await db.readShared(keyAndSession, { environmentId, keyId, sessionId });
  if (!key || !isPublished(key, now)) return invalid('wrong_signature');
  const claims = verifiedClaims(token, key);
  if (!claims) return invalid('wrong_signature');
  const { iss, aud, exp, sub } = claims;
  if (iss !== issuer || aud !== environmentId) return invalid('wrong_environment');
  if (typeof exp !== 'number' || exp * 1000 <= now.getTime()) return invalid('expired');
  if (!found || found.user.id !== sub) return invalid('session_ended');
  if (found.session.endedAt !== null || found.session.expiresAt <= now) return invalid('session_ended');
  return { ...found, valid: true, claims };
}
