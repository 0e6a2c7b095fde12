import type { Environment } from '#core/kernel/caller/caller.js';
import { keyIssuer, type KeyIssuer } from '#core/kernel/ports.js';
import type { Services } from '#core/kernel/services.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { isId } from '#core/runtime/id-form.js';
import { claimedIn, type Claims } from '../signing-keys/jwt.js';
import { isPublished } from '../signing-keys/present.js';
import { verifiedClaims } from '../signing-keys/verified.js';
import { keyAndSession, type FoundSession } from './read.js';

/** Why an access token is not valid. */
export const tokenProblems = ['malformed', 'wrong_signature', 'wrong_environment', 'expired', 'session_ended'] as const;
export type TokenProblem = (typeof tokenProblems)[number];

export type CheckedToken = (FoundSession & { valid: true; claims: Claims }) | { valid: false; problem: TokenProblem };

/** The dependencies of checking an access token. */
export interface Checking {
  db: ReadSession;
  /** The deployment's base URL. */
  issuer: string;
  now: Date;
  /** See `KeyIssuer`. Used only for impersonated sessions. */
  stillHolds: KeyIssuer['stillHolds'];
}

/** The same outside an operation. */
export const checkingOf = (services: Services): Checking => ({
  db: services.database,
  issuer: services.deployment.baseUrl,
  now: services.clock.now(),
  stillHolds: (...asked) => services.read('Impersonated session', ({ use }) => use(keyIssuer).stillHolds(...asked)),
});

/** The permission that impersonation requires, for the whole life of the session. */
const impersonating = 'auth:write';

const invalid = (problem: TokenProblem): CheckedToken => ({ valid: false, problem });

/**
 * Checks an access token online: form, signature by the key that it names with that key's one algorithm, issuer,
 * audience, expiry, and whether its session is still live. An impersonated session ends when its opener loses the power
 * to impersonate: when their key is revoked, when the key or the member may no longer impersonate, or when the feature
 * is turned off. Checking for bans is left to the caller.
 */
export async function checkAccessToken(
  { db, issuer, now, stillHolds }: Checking,
  environment: Environment,
  token: string,
): Promise<CheckedToken> {
  const { id: environmentId } = environment;
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
  if (!(await mayImpersonate(found, environment, stillHolds))) return invalid('session_ended');
  return { ...found, valid: true, claims };
}

async function mayImpersonate(
  { session, settings, impersonationEndedAt }: FoundSession,
  environment: Environment,
  stillHolds: KeyIssuer['stillHolds'],
): Promise<boolean> {
  const { impersonatorId, impersonatorKeyId, createdAt } = session;
  if (impersonatorId === null) return true;
  if (!settings.impersonation.enabled) return false;
  if (impersonationEndedAt !== null && createdAt <= impersonationEndedAt) return false;
  return impersonatorKeyId === null
    ? stillHolds({ kind: 'member', id: impersonatorId }, environment, impersonating)
    : stillHolds({ kind: 'key', id: impersonatorKeyId }, environment, impersonating);
}
