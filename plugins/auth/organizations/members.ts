import type { Context } from '#core/kernel/context.js';
import { beforeId, cutPage, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { orgFormerMembers } from '../tables/org-former-member.js';
import { orgMembers, type OrgMemberRow, type OrgRole } from '../tables/org-member.js';
import type { OrganizationRow } from '../tables/organization.js';
import { presentMember, type OrgMemberValue } from './resources.js';

/*
 * Every function here that writes expects the organization to be locked. Locks are always taken in the same order:
 * user, organization, sessions.
 */

type Writing = Pick<Context, 'db' | 'clock'>;

/** Adds a member as the latest to join. */
export async function addMember(
  { db, clock }: Writing,
  { id: organizationId, environmentId }: Pick<OrganizationRow, 'id' | 'environmentId'>,
  userId: string,
  role: OrgRole,
): Promise<OrgMemberRow> {
  const row: OrgMemberRow = {
    ...{ organizationId, userId, environmentId, id: newId(), role },
    joinedAt: clock.now(),
    updatedAt: null,
  };
  await db.run(
    joined([
      orgMembers.insertRows([row]),
      {
        sql: 'DELETE FROM auth_org_former_member WHERE organization_id = ? AND user_id = ?',
        parameters: [idBytes(organizationId), idBytes(userId)],
      },
    ]),
  );
  return row;
}

/** Ends a membership. The organization is removed from the user's sessions, which can no longer act for it. */
export async function endMembership(
  { db, clock }: Writing,
  { organizationId, userId, role, joinedAt }: OrgMemberRow,
): Promise<void> {
  const member = [idBytes(organizationId), idBytes(userId)];
  await db.run(
    joined([
      { sql: 'DELETE FROM auth_org_member WHERE organization_id = ? AND user_id = ?', parameters: member },
      orgFormerMembers.upsertRows(
        [{ organizationId, userId, role, joinedAt, endedAt: clock.now() }],
        ['role', 'endedAt'],
      ),
      {
        sql: 'UPDATE auth_organization SET member_count = member_count - 1 WHERE id = ?',
        parameters: [idBytes(organizationId)],
      },
      {
        sql: 'UPDATE auth_session SET organization_id = NULL WHERE organization_id = ? AND user_id = ?',
        parameters: member,
      },
    ]),
  );
}

/** One page of an organization's members, the latest to join first. */
export async function memberPage(
  db: ReadSession,
  organizationId: string,
  { before, limit }: PageRequest,
): Promise<{ rows: OrgMemberValue[]; next: string | null }> {
  const found = await db.rows<{ id: Buffer; email: string | null; name: string | null }>(
    `SELECT ${orgMembers.columnList('m')}, u.email, u.name
     FROM auth_org_member m FORCE INDEX (joined) JOIN auth_user u ON u.id = m.user_id
     WHERE m.organization_id = ?${before === undefined ? '' : ' AND m.id < ?'} ORDER BY m.id DESC LIMIT ?`,
    [idBytes(organizationId), ...(before === undefined ? [] : [beforeId(before)]), limit + 1],
  );
  const { rows, next } = cutPage(
    found.map((row) => ({ id: idText(row.id), member: presentMember(orgMembers.decode(row), row) })),
    limit,
  );
  return { rows: rows.map(({ member }) => member), next };
}
