import type { Services } from '#core/kernel/services.js';
import { idBytes } from '#core/runtime/id.js';
import { isId } from '#core/runtime/id-form.js';
import { readSession, type FoundSession } from '../sessions/read.js';
import type { AppValue } from '../settings/apps.js';
import { claimsFrom } from '../settings/claims.js';
import { orgRoles } from '../tables/org-member.js';
import { isBanned } from '../users/ban.js';
import { jsonRecord } from '#core/runtime/database/json.js';

/*
 * Everything that an app holds (code, tokens) belongs to a grant, and each grant belongs to one session of svc and one
 * app: its id contains both. So an app's tokens end at the moment when the session does.
 */

/** The ids of an environment's apps, by `client_id`. Apps from before they had one are absent. */
export type AppIds = ReadonlyMap<string, string>;

/** The id of the grant that a session gives an app. */
export const grantIdOf = (sessionId: string, appId: string, ids: AppIds): string =>
  [sessionId, appId, ...(ids.has(appId) ? [ids.get(appId)] : [])].join('.');

/** The session that a grant belongs to. */
export const sessionIdOf = (grantId: string): string => grantId.slice(0, grantId.indexOf('.'));

/**
 * The session under which an app may act: live, not of a banned user, not impersonated, and with the second factor that
 * the environment requires.
 * @returns null if there is none
 */
export async function openidSession(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  environmentId: string,
  sessionId: string,
): Promise<FoundSession | null> {
  if (!isId(sessionId)) return null;
  const found = await readSession(database, environmentId, sessionId);
  if (!found) return null;
  const now = clock.now();
  const { session, user, requiresFactor } = found;
  const isLive = session.endedAt === null && session.expiresAt > now && session.impersonatorId === null;
  return isLive && !isBanned(user, now) && (!requiresFactor || session.mfa) ? found : null;
}

/** Whether a user may sign in to an app: everyone, or members of its organizations with a role that is high enough. */
export async function maySignIn(
  { database }: Pick<Services, 'database'>,
  { organizations, minimumRole }: AppValue,
  userId: string,
): Promise<boolean> {
  if (organizations.length === 0) return true;
  // The highest role comes first.
  const roles = orgRoles.slice(0, orgRoles.indexOf(minimumRole) + 1);
  const [found] = await database.rows(
    `SELECT 1 FROM auth_org_member m JOIN auth_organization o ON o.id = m.organization_id
     WHERE m.user_id = ? AND m.organization_id IN (?) AND m.role IN (?) LIMIT 1`,
    [idBytes(userId), organizations.map(idBytes), roles.map((role) => Buffer.from(role))],
  );
  return found !== undefined;
}

/** The claims that each scope gives an app, and those of the environment's settings, which `profile` gives. */
export const scopeClaims = (custom: readonly string[]): Record<string, string[]> => ({
  openid: ['sub'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  profile: ['name', 'picture', 'locale', 'updated_at', ...custom],
  groups: ['groups'],
});

/** Longer lists would not fit into the headers in which other software keeps them. */
const maxGroups = 200;

/** The claims of a user, of which an app gets those of its scopes. */
export async function userClaims(
  { database }: Pick<Services, 'database'>,
  { user, settings }: Pick<FoundSession, 'user' | 'settings'>,
): Promise<Record<string, unknown> & { sub: string }> {
  const groups = await database.rows<{ slug: Buffer; role: Buffer }>(
    `SELECT o.slug, m.role FROM auth_org_member m JOIN auth_organization o ON o.id = m.organization_id
     WHERE m.user_id = ? ORDER BY m.id LIMIT ${maxGroups}`,
    [idBytes(user.id)],
  );
  return {
    ...claimsFrom(settings.claims, jsonRecord(user.metadata)),
    sub: user.id,
    ...(user.email === null ? {} : { email: user.email, email_verified: user.emailVerified }),
    ...(user.phone === null ? {} : { phone_number: user.phone, phone_number_verified: user.phoneVerified }),
    ...(user.name === null ? {} : { name: user.name }),
    ...(user.pictureUrl === null ? {} : { picture: user.pictureUrl }),
    ...(user.locale === null ? {} : { locale: user.locale }),
    updated_at: Math.floor(user.updatedAt.getTime() / 1000),
    groups: groups.map(({ slug, role }) => `${slug.toString()}:${role.toString()}`),
  };
}
