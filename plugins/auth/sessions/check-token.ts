import type { Environment } from '#core/kernel/caller/caller.js';
import { keyIssuer, type KeyIssuer } from '#core/kernel/ports.js';
import type { Services } from '#core/kernel/services.js';
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

/** What checking an access token asks. */
export interface Checking {
  db: ReadSession;
  /** The deployment's base URL. */
  issuer: string;
  now: Date;
  /** See `KeyIssuer`; asked about impersonated sessions only. */
  stillHolds: KeyIssuer['stillHolds'];
}

/** The same outside an operation. */
export const checkingOf = (services: Services): Checking => ({
  db: services.database,
  issuer: services.deployment.baseUrl,
  now: services.clock.now(),
  stillHolds: (...asked) => services.read('Impersonated session', ({ use }) => use(keyIssuer).stillHolds(...asked)),
});

/** What impersonating takes, as long as the session lives. */
const impersonating = 'auth:write';

const invalid = (problem: TokenProblem): CheckedToken => ({ valid: false, problem });

/**
 * Checks an access token online: form, signature by the key that it names with that key's one algorithm, issuer, audience, expiry, and
 * whether its session still lives. An impersonated session ends with the power of whoever opened it: when their key is revoked, when it or
 * the member may impersonate no more, and when the feature is turned off. Bans are the caller's to check.
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
