import type { Environment, TenantCaller } from '#core/kernel/caller/caller.js';
import { permissionRefusal } from '#core/kernel/caller/permission-refusal.js';
import { limitToRole, permissionsGranted } from '#core/kernel/caller/permissions.js';
import type { Context } from '#core/kernel/context.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { directory } from '#plugins/account/ports.js';
import { keys } from '../tables/key.js';

type Reader = Pick<Context, 'db' | 'use' | 'deployment'>;

/** See `KeyIssuer.reloadCaller`. */
export async function reloadCaller(
  context: Reader,
  stale: TenantCaller,
  needs: { operation: string; permission: string },
): Promise<TenantCaller> {
  const caller = {
    ...stale,
    ...(await (stale.kind === 'key' ? keyGrants(context, stale) : memberGrants(context, stale))),
  };
  if (!caller.permissions.has(needs.permission)) throw permissionRefusal(caller, needs.permission, needs.operation);
  return caller;
}

type Grants = Pick<TenantCaller, 'role' | 'permissions'>;

async function keyGrants({ db }: Reader, { id }: Pick<TenantCaller, 'id'>): Promise<Grants> {
  const key = await db.findOne(keys, { id });
  if (!key || key.revokedAt) throw refusalOf.unauthenticated({ problem: 'the key is revoked' });
  return { role: key.role, permissions: new Set(limitToRole(key.role, key.permissions)) };
}

async function memberGrants(
  { use, deployment }: Reader,
  { id, environment }: Pick<TenantCaller, 'id' | 'environment'>,
): Promise<Grants> {
  const member = await use(directory).member(environment.accountId, id);
  if (member?.status !== 'active')
    throw refusalOf.forbidden({
      problem: 'you are no longer an active member of this account',
      nextStep: 'Ask an owner or admin of the account to invite you again.',
    });
  return { role: member.role, permissions: new Set(permissionsGranted(member, deployment.products)) };
}

/** See `KeyIssuer.stillHolds`. */
export async function stillHolds(
  context: Reader,
  { kind, id }: { kind: 'key' | 'member'; id: string },
  environment: Environment,
  permission: string,
): Promise<boolean> {
  try {
    const { permissions } = await (kind === 'key'
      ? keyGrants(context, { id })
      : memberGrants(context, { id, environment }));
    return permissions.has(permission);
  } catch (error) {
    if (error instanceof SvcError) return false;
    throw error;
  }
}
