import type { Role, TenantCaller } from '#core/kernel/caller/caller.js';
import { roleHolds, roleRank } from '#core/kernel/caller/permissions.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { keys, type KeyRow } from '../tables/key.js';

/** The permission to create and change keys: one key of each environment must hold it. */
export const administration = 'developers:write';

/**
 * A caller creates, changes and rotates only keys whose permissions and role it holds itself. Publishable keys are exempt: they hold
 * nothing but `auth:public`.
 * @throws permission_exceeds_caller naming what is missing
 */
export function assertCallerHolds(
  caller: TenantCaller,
  key: { kind: KeyRow['kind']; permissions: readonly string[]; role: Role },
  fail: ErrorMakers<'permission_exceeds_caller', SvcError>,
): void {
  if (key.kind === 'publishable') return;
  const missing = key.permissions.filter((permission) => !caller.permissions.has(permission));
  if (missing.length > 0) throw fail.permission_exceeds_caller({ permissions: missing.join(', ') });
  if (roleRank(key.role) < roleRank(caller.role))
    throw fail.permission_exceeds_caller({ permissions: `the role ${key.role}` });
}

/** Whether the key works, and both its permissions and its role include developers:write. */
export const administers = (key: KeyRow): boolean =>
  key.revokedAt === null && key.permissions.includes(administration) && roleHolds(key.role, administration);

/**
 * Every environment keeps a key that holds developers:write. Call this with the environment locked.
 * @param losing unrevoked keys of one environment that are about to be revoked or to lose developers:write
 * @throws last_key where no other key of the environment holds it
 */
export async function assertNotLastKeys(
  db: Session,
  losing: readonly KeyRow[],
  fail: ErrorMakers<'last_key', SvcError>,
): Promise<void> {
  const last = losing.find(administers);
  if (!last) return;
  const { environmentId, name } = last;
  const others = await db.find(keys, { environmentId, kind: 'secret' });
  const ids = new Set(losing.map((key) => key.id));
  if (others.some((other) => !ids.has(other.id) && administers(other))) return;
  throw fail.last_key({ name, environment: environmentId, details: { keyId: last.id, environmentId } });
}
