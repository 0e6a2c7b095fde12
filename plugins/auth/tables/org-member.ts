import { choiceColumn, nullable, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const orgRoles = ['owner', 'admin', 'member'] as const;
export type OrgRole = (typeof orgRoles)[number];

/** Which users belong to which organization. */
export const orgMembers = defineTable('auth_org_member', {
  organizationId: primary(uuidColumn()),
  userId: primary(uuidColumn()),
  environmentId: uuidColumn(),
  /** Later members have later ids, so ids give the order of joining. */
  id: uuidColumn(),
  role: choiceColumn(orgRoles, 6),
  joinedAt: timeColumn(),
  /** When the role was changed last; null until then. */
  updatedAt: nullable(timeColumn()),
});

export type OrgMemberRow = RowOf<typeof orgMembers>;
