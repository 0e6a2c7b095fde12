import type { Role, TenantCaller } from '#core/kernel/caller/caller.js';
import type { Grant } from '#core/kernel/caller/permissions.js';
import { lackingFor } from '#core/kernel/runner/resolve.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { accounts } from '../tables/account.js';
import { members, type MemberRow } from '../tables/member.js';
import type { Change } from '#core/kernel/context.js';
import type { LoweredKey, MadeEndpoint } from '#core/kernel/ports.js';

/**
 * Only an owner may invite, promote, demote or remove an owner.
 * @param affected the roles that the call gives or takes away
 * @throws owner_only
 */
export function assertOwnerFor(
  caller: TenantCaller,
  affected: readonly Role[],
  fail: ErrorMakers<'owner_only', SvcError>,
): void {
  if (caller.role !== 'owner' && affected.includes('owner')) throw fail.owner_only();
}

/**
 * A caller gives and takes away only what it holds itself.
 * @param affected the roles that the call gives or takes away, with their permissions
 * @param products the enabled products: a role grants nothing in the others
 * @throws owner_only, permission_exceeds_caller naming what is missing
 */
export function assertHoldsGrants(
  caller: TenantCaller,
  affected: readonly Grant[],
  products: readonly string[],
  fail: ErrorMakers<'owner_only' | 'permission_exceeds_caller', SvcError>,
): void {
  const roles = affected.map(({ role }) => role);
  assertOwnerFor(caller, roles, fail);
  const missing = [...new Set(affected.flatMap((each) => lackingFor(caller, each, products)))];
  if (missing.length > 0) throw fail.permission_exceeds_caller({ permissions: missing.join(', ') });
}

/**
 * An account keeps an active owner. Call this with the account locked, because two owners may be removed at the same
 * time.
 * @throws last_owner
 */
export async function assertNotLastOwner(
  db: Session,
  { accountId, role, status }: MemberRow,
  fail: ErrorMakers<'last_owner', SvcError>,
): Promise<void> {
  if (role !== 'owner' || status !== 'active') return;
  if ((await db.count(members, { accountId, role: 'owner', status: 'active' })) < 2) throw fail.last_owner();
}

/** Whether any active owner has proven their address. */
export async function hasProvenOwner(db: Session, accountId: string): Promise<boolean> {
  const owners = await db.find(members, { accountId, role: 'owner', status: 'active' });
  return owners.some((owner) => owner.provenAt !== null);
}

/** Allows a former owner to open another account with the address that opened this one. */
export async function releaseOpenerAddress(db: Session, { accountId, emailKey }: MemberRow): Promise<void> {
  await db.update(accounts, { id: accountId, openedBy: emailKey }, { openedBy: null });
}

/**
 * For the audit record of a member who was removed or lowered: every key they created or rotated, before and after.
 * They may still know these keys, so the list tells an owner which keys to rotate.
 */
export const keyChanges = (lowered: readonly LoweredKey[]): Change[] =>
  lowered.length === 0
    ? []
    : [{ field: 'keys', from: lowered.map(({ before }) => before), to: lowered.map(({ after }) => after) }];

/**
 * For the same record: the webhook endpoints that the member created. They continue to work, so an owner should check
 * their addresses.
 */
export const endpointChanges = (endpoints: readonly MadeEndpoint[]): Change[] =>
  endpoints.length === 0 ? [] : [{ field: 'webhookEndpoints', from: null, to: [...endpoints] }];
