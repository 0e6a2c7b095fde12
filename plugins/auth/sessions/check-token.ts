import type { Environment } from '#core/kernel/caller/caller.js';
import { keyIssuer, type KeyIssuer } from '#core/kernel/ports.js';
import type { Services } from '#core/kernel/services.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { isId } from '#core/runtime/id-form.js';
import { claimedIn, verifyJwt, type Claims } from '../signing-keys/jwt.js';
import { isPublished } from '../signing-keys/resources.js';
import { keyAndSession, type FoundSession } from './read.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import type { SigningKeyRow } from '../tables/signing-key.js';
import { publicKeyOf } from '../signing-keys/keys.js';
import type { Authenticator } from '#core/kernel/caller/authenticator.js';
import { bannedRefusal, isBanned } from '../users/ban.js';

/** Why an access token is not valid. */
export const tokenProblems = ['malformed', 'wrong_signature', 'wrong_environment', 'expired', 'session_ended'] as const;
type TokenProblem = (typeof tokenProblems)[number];

type CheckedToken = (FoundSession & { valid: true; claims: Claims }) | { valid: false; problem: TokenProblem };

/** The dependencies of checking an access token. */
interface Checking {
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
export const impersonating = 'auth:write';

const invalid = (problem: TokenProblem): CheckedToken => ({ valid: false, problem });

/**
 * Checks an access token online: form, signature by the key that it names with that key's one algorithm, issuer,
 * audience, expiry, and whether its session is still live. An impersonated session ends when its opener loses the power
 * to impersonate: when their key is revoked, when the key or the member (also the one who made the key) may no longer
 * impersonate, or when the feature is turned off. Checking for bans is left to the caller.
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
  if (impersonatorKeyId !== null) {
    if (!(await stillHolds({ kind: 'key', id: impersonatorKeyId }, environment, impersonating))) return false;
    // A key that no member made is itself the impersonator.
    if (impersonatorId === impersonatorKeyId) return true;
  }
  return stillHolds({ kind: 'member', id: impersonatorId }, environment, impersonating);
}

/**
 * Claims of tokens whose signature was checked, by key and digest of the token. The result for a signature never
 * changes; the validity of its key, its time and its session is checked on every call. Checking a signature takes
 * longer than everything else in a call.
 */
const verified = new Map<string, Claims>();
const maxVerified = 5_000;

/** The claims of a token that this key signed, like `verifyJwt`. Each token is verified once. */
function verifiedClaims(token: string, key: Pick<SigningKeyRow, 'id' | 'publicJwk' | 'algorithm'>): Claims | null {
  const name = `${key.id} ${sha256(token).toString('base64')}`;
  const known = verified.get(name);
  if (known) return known;
  const claims = verifyJwt(token, publicKeyOf(key), key.algorithm);
  if (!claims) return null;
  if (verified.size >= maxVerified) verified.clear();
  verified.set(name, Object.freeze({ ...claims }));
  return claims;
}

/**
 * The kernel's `findUserSession`: one indexed read for session, user, key, settings and organization; nothing is
 * cached.
 */
export function userSessions(services: Services): Authenticator {
  const { clock } = services;
  return {
    async findUserSession(accessToken, environment) {
      const checked = await checkAccessToken(checkingOf(services), environment, accessToken);
      if (!checked.valid) return null;
      const { user, session, claims, requiresFactor, lacksActiveFactor } = checked;
      if (isBanned(user, clock.now())) throw bannedRefusal();
      return {
        userId: user.id,
        sessionFamilyId: session.id,
        label: user.email ?? user.phone ?? user.name ?? user.id,
        email: user.email,
        signedInAt: session.signedInAt,
        tokenExpiresAt: new Date(Number(claims.exp) * 1000),
        secondFactor: session.mfa,
        lacksActiveFactor,
        lacksRequiredFactor: requiresFactor && !session.mfa,
        impersonator: session.impersonatorId
          ? { memberId: session.impersonatorId, label: session.impersonatorLabel ?? session.impersonatorId }
          : null,
      };
    },
  };
}
