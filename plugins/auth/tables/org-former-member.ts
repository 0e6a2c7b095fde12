import { choiceColumn, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';
import { orgRoles } from './org-member.js';

/** Users who left an organization or were removed, so that removing them again answers as done. */
export const orgFormerMembers = defineTable('auth_org_former_member', {
  organizationId: primary(uuidColumn()),
  userId: primary(uuidColumn()),
  role: choiceColumn(orgRoles, 6),
  joinedAt: timeColumn(),
  endedAt: timeColumn(),
});
