import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { defaultSettings } from '../settings/defaults.js';
import { mergeSettings } from '../settings/merge.js';
import type { AuthSettingsValue } from '../settings/resources.js';
import { keyIdOf, verifyJwt, type Claims } from '../signing-keys/jwt.js';
import { publicKeyOf } from '../signing-keys/keys.js';
import { sessions, type SessionRow } from '../tables/session.js';
import { authSettings } from '../tables/settings.js';
import { signingKeys, type SigningKeyRow } from '../tables/signing-key.js';
import { users, type UserRow } from '../tables/user.js';

/** Why an access token does not count. */
export type TokenProblem = 'malformed' | 'wrong_signature' | 'wrong_environment' | 'expired' | 'session_ended';

export type CheckedToken =
  | {
      valid: true;
      user: UserRow;
      session: SessionRow;
      settings: AuthSettingsValue;
      /** The environment or the session's organization requires a second factor. */
      requiresFactor: boolean;
      claims: Claims;
    }
  | { valid: false; problem: TokenProblem };

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
  const keyId = keyIdOf(token);
  if (keyId === null || !uuidForm.test(keyId)) return invalid('malformed');
  const key = await findKey(db, environmentId, keyId);
  if (!key || key.status === 'retired') return invalid('wrong_signature');
  const claims = verifyJwt(token, publicKeyOf(key.publicJwk), key.algorithm);
  if (!claims) return invalid('wrong_signature');
  const { iss, aud, exp, sid, sub } = claims;
  if (iss !== issuer || aud !== environmentId) return invalid('wrong_environment');
  if (typeof exp !== 'number' || exp * 1000 <= now.getTime()) return invalid('expired');
  if (typeof sid !== 'string' || !uuidForm.test(sid)) return invalid('malformed');
  const found = await findSession(db, environmentId, sid);
  if (!found || found.user.id !== sub) return invalid('session_ended');
  const { session, user, settings, orgRequiresFactor } = found;
  if (session.endedAt !== null || session.expiresAt <= now) return invalid('session_ended');
  return { valid: true, user, session, settings, requiresFactor: settings.mfa.required || orgRequiresFactor, claims };
}

async function findKey(db: ReadSession, environmentId: string, keyId: string): Promise<SigningKeyRow | null> {
  const [row] = await db.prepared<object>(
    `SELECT ${signingKeys.columnList()} FROM auth_signing_key WHERE id = ? AND environment_id = ?`,
    [idBytes(keyId), idBytes(environmentId)],
  );
  return row ? signingKeys.decode(row) : null;
}

async function findSession(
  db: ReadSession,
  environmentId: string,
  sessionId: string,
): Promise<{ session: SessionRow; user: UserRow; settings: AuthSettingsValue; orgRequiresFactor: boolean } | null> {
  const ids = [idBytes(sessionId), idBytes(environmentId)];
  const [[session], [user], [changed], [organization]] = await Promise.all([
    db.prepared<object>(`SELECT ${sessions.columnList()} FROM auth_session WHERE id = ? AND environment_id = ?`, ids),
    db.prepared<object>(
      `SELECT ${users.columnList('u')} FROM auth_session s JOIN auth_user u ON u.id = s.user_id WHERE s.id = ? AND s.environment_id = ?`,
      ids,
    ),
    db.prepared<object>(`SELECT ${authSettings.columnList()} FROM auth_settings WHERE environment_id = ?`, [
      idBytes(environmentId),
    ]),
    db.prepared<{ require_mfa: number }>(
      `SELECT o.require_mfa FROM auth_session s JOIN auth_organization o ON o.id = s.organization_id WHERE s.id = ? AND s.environment_id = ?`,
      ids,
    ),
  ]);
  if (!session || !user) return null;
  const settings = changed ? mergeSettings(defaultSettings, authSettings.decode(changed).changed) : defaultSettings;
  return {
    session: sessions.decode(session),
    user: users.decode(user),
    settings,
    orgRequiresFactor: organization?.require_mfa === 1,
  };
}
