import type { Role, TenantCaller } from '#core/kernel/caller/caller.js';
import { limitToRole, permissionsOf, roleRank } from '#core/kernel/caller/permissions.js';
import type { Context } from '#core/kernel/context.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import { keys, type KeyRow } from '../tables/key.js';

/** The permission to create and change keys. One key of each environment must hold it. */
export const administration = 'developers:write';

/**
 * A caller creates, changes, rotates and revokes only keys whose permissions and role it holds itself. Publishable keys
 * are exempt, because they hold only `auth:public`.
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

/**
 * The permissions that a key grants: none once it is revoked, and never more than its role and the deployment's
 * products allow.
 */
function granted(key: KeyRow, products: readonly string[]): Set<string> {
  const enabled = new Set(permissionsOf(products));
  const held = key.revokedAt === null && key.kind === 'secret' ? limitToRole(key.role, key.permissions) : [];
  return new Set(held.filter((each) => enabled.has(each)));
}

/** Returns whether a key holds everything that `all` hold together, and has the strongest of their roles. */
function holdsAllOf(all: readonly KeyRow[], products: readonly string[]): (key: KeyRow) => boolean {
  const everything = new Set(all.flatMap((key) => [...granted(key, products)]));
  const strongest = Math.min(...all.map(({ role }) => roleRank(role)));
  return (key) => {
    const own = granted(key, products);
    return roleRank(key.role) <= strongest && [...everything].every((permission) => own.has(permission));
  };
}

/**
 * Every environment keeps a key that holds developers:write, and one that holds everything that its keys hold together:
 * a permission that no key holds could not be granted again by any key. An environment without the former does not need
 * the latter. Call this with the environment locked.
 * @param changed keys of one environment after the change: revoked, lowered, or with other permissions
 * @throws last_key if the change would leave the environment without such a key
 */
export async function assertNotLastKeys(
  { db, deployment, fail }: Pick<Context<never, 'last_key'>, 'db' | 'deployment' | 'fail'>,
  changed: readonly KeyRow[],
): Promise<void> {
  const [first] = changed;
  if (!first) return;
  const { environmentId } = first;
  const { products } = deployment;
  const before = (await db.find(keys, { environmentId, kind: 'secret' })).filter((key) => key.revokedAt === null);
  const after = before
    .map((key) => changed.find(({ id }) => id === key.id) ?? key)
    .filter((key) => key.revokedAt === null);
  const administers = (key: KeyRow): boolean => granted(key, products).has(administration);
  // After the owner's first proof, no key of the account administers it. Members can grant what the keys hold.
  if (!before.some(administers)) return;
  const lost = [
    { holds: administers, what: administration },
    { holds: holdsAllOf(before, products), what: 'every permission' },
  ].find(({ holds }) => before.some(holds) && !after.some(holds));
  if (!lost) return;
  const { id, name } = before.find((key) => lost.holds(key) && changed.some((each) => each.id === key.id)) ?? first;
  throw fail.last_key({ name, what: lost.what, environment: environmentId, details: { keyId: id, environmentId } });
}
