import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { isCountedUser } from '../sessions/active-user.js';
import { latestDevices, type Device } from '../sessions/new-device.js';
import { settingsOfCall } from '../settings/load.js';
import type { AuthSettingsValue } from '../settings/resources.js';
import { signingKeys, type SigningKeyRow } from '../tables/signing-key.js';

/** What a sign-in must know in addition to its user. */
export interface SignInFacts {
  settings: AuthSettingsValue;
  /** The second factors that the user can pass now. */
  factors: ('totp' | 'recovery_code')[];
  /** The devices that the user's latest sessions came from. */
  devices: Device[];
  /** The key that signs for the environment; null if it has none yet. */
  signingKey: SigningKeyRow | null;
  /** Whether the user already counts as active this month. */
  isCounted: boolean;
}

/** Reads the facts of a sign-in in one round trip, which they share with reads that are requested at the same time. */
export async function readSignInFacts(
  context: Pick<Context, 'db' | 'caller' | 'use'>,
  environment: Environment,
  userId: string,
): Promise<SignInFacts> {
  const { db } = context;
  const [settings, factors, devices, signingKey, isCounted] = await Promise.all([
    settingsOfCall(context, environment.id),
    activeFactors(db, userId),
    latestDevices(db, userId),
    db.findOne(signingKeys, { activeEnvironmentId: environment.id }),
    isCountedUser(context, environment, userId),
  ]);
  return { settings, factors, devices, signingKey, isCounted };
}

/** The second factors that the user can pass now. */
async function activeFactors(db: ReadSession, userId: string): Promise<SignInFacts['factors']> {
  const rows = await db.prepared<{ kind: string }>(
    `SELECT 'totp' AS kind FROM auth_factor WHERE active_user_id = ?
     UNION ALL SELECT 'recovery_code' FROM auth_factor f WHERE f.active_user_id = ?
       AND EXISTS (SELECT 1 FROM auth_recovery_code r WHERE r.user_id = f.active_user_id AND r.used_at IS NULL)`,
    [idBytes(userId), idBytes(userId)],
  );
  return rows.map(({ kind }) => (kind === 'totp' ? 'totp' : 'recovery_code'));
}
