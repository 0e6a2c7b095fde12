import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import type { OrgMemberRow, OrgRole } from '../tables/org-member.js';
import type { OrganizationRow } from '../tables/organization.js';

/**
 * Whether a member may act on others: owners act on anyone, admins on admins and members. Only an owner makes someone
 * an owner, takes that role away, or removes an owner.
 * @param affected the roles that are given and taken away
 */
export const mayActOn = (actor: OrgRole, affected: readonly OrgRole[]): boolean =>
  actor === 'owner' || (actor === 'admin' && !affected.includes('owner'));

type RoleRefusals = ErrorMakers<'org_role_required', SvcError>;

/** @throws org_role_required, see `mayActOn` */
export function assertMayActOn(actor: OrgRole, affected: readonly OrgRole[], fail: RoleRefusals): void {
  if (!mayActOn(actor, affected))
    throw fail.org_role_required({ role: affected.includes('owner') ? 'an owner' : 'an owner or admin' });
}

/** @throws org_role_required for members */
export function assertManages(actor: OrgRole, fail: RoleRefusals): void {
  if (actor === 'member') throw fail.org_role_required({ role: 'an owner or admin' });
}

/** @throws org_role_required for admins and members */
export function assertOwner(actor: OrgRole, fail: RoleRefusals): void {
  if (actor !== 'owner') throw fail.org_role_required({ role: 'an owner' });
}

/** The number of an organization's owners. */
export async function countOwners(db: Session, organizationId: string): Promise<number> {
  const [row] = await db.rows<{ found: number }>(
    `SELECT COUNT(*) AS found FROM auth_org_member WHERE organization_id = ? AND role = 'owner'`,
    [idBytes(organizationId)],
  );
  return row?.found ?? 0;
}

/**
 * An organization keeps an owner. Call this with the organization locked, because two owners may leave at the same
 * time.
 * @param member the member who is about to leave, be removed, or get another role
 * @throws org_last_owner
 */
export async function assertNotLastOwner(
  db: Session,
  { id, name }: Pick<OrganizationRow, 'id' | 'name'>,
  { role }: Pick<OrgMemberRow, 'role'>,
  fail: ErrorMakers<'org_last_owner', SvcError>,
): Promise<void> {
  if (role === 'owner' && (await countOwners(db, id)) < 2) throw fail.org_last_owner({ name });
}

/** How many organizations a user owns. */
export async function ownedBy(db: ReadSession, userId: string): Promise<number> {
  const [row] = await db.rows<{ found: number }>(
    `SELECT COUNT(*) AS found FROM auth_org_member m JOIN auth_organization o ON o.id = m.organization_id
     WHERE m.user_id = ? AND m.role = 'owner'`,
    [idBytes(userId)],
  );
  return row?.found ?? 0;
}
