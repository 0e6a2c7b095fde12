import type { Role, TenantCaller } from '#core/kernel/caller/caller.js';
import { lackingForRole } from '#core/kernel/caller/resolve.js';
import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { accounts } from '../tables/account.js';
import { members, type MemberRow } from '../tables/member.js';

/** @throws not_found for another account's member, exactly as for one that does not exist */
export async function findMember(
  db: Session,
  caller: TenantCaller,
  memberId: string,
  fail: ErrorMakers<'not_found', SvcError>,
): Promise<MemberRow> {
  const row = await db.findOne(members, { id: memberId, accountId: caller.environment.accountId });
  if (!row) throw noMember(fail);
  return row;
}

/** The refusal of a member who is not there. */
export const noMember = (fail: ErrorMakers<'not_found', SvcError>): SvcError =>
  fail.not_found({ thing: 'member', lookup: 'account.member.list' });

/** Only an owner makes, unmakes, invites or removes an owner. @throws owner_only */
export function mustBeOwnerFor(
  caller: TenantCaller,
  given: readonly Role[],
  fail: ErrorMakers<'owner_only', SvcError>,
): void {
  if (caller.role !== 'owner' && given.includes('owner')) throw fail.owner_only();
}

/**
 * Nobody grants more than they hold. The role taken away counts like the one given, so that nobody unmakes somebody stronger.
 * @param products the enabled ones: what is off grants nothing
 * @throws owner_only, permission_exceeds_caller naming what is lacking
 */
export function mustHoldRoles(
  caller: TenantCaller,
  given: readonly Role[],
  products: readonly string[],
  fail: ErrorMakers<'owner_only' | 'permission_exceeds_caller', SvcError>,
): void {
  mustBeOwnerFor(caller, given, fail);
  const lacking = [...new Set(given.flatMap((role) => lackingForRole(caller, role, products)))];
  if (lacking.length > 0) throw fail.permission_exceeds_caller({ permissions: lacking.join(', ') });
}

/**
 * Would the account be left without an owner? Call it with the account locked: two owners may leave at once.
 * @throws last_owner
 */
export async function mustNotBeLastOwner(
  db: Session,
  { accountId, role, status }: MemberRow,
  fail: ErrorMakers<'last_owner', SvcError>,
): Promise<void> {
  if (role !== 'owner' || status !== 'active') return;
  if ((await db.count(members, { accountId, role: 'owner', status: 'active' })) < 2) throw fail.last_owner();
}

/** Has any active owner shown that the address is theirs? */
export async function ownerIsProven(db: Session, accountId: string): Promise<boolean> {
  const owners = await db.find(members, { accountId, role: 'owner', status: 'active' });
  return owners.some((owner) => owner.provenAt !== null);
}

/** Whoever opened the account and owns it no longer may open another one with the same address. */
export async function releaseOpener(db: Session, { accountId, emailKey }: MemberRow): Promise<void> {
  await db.update(accounts, { id: accountId, openedBy: emailKey }, { openedBy: null });
}
