import { owned } from '#core/kernel/environment/owned.js';
import {
  bytesColumn,
  choiceColumn,
  digestColumn,
  exactColumn,
  idColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { orgRoles } from './org-member.js';

/** Invitations to organizations. */
export const orgInvites = owned(
  defineTable('auth_org_invite', {
    id: idColumn(),
    environmentId: uuidColumn(),
    organizationId: uuidColumn(),
    email: textColumn(254),
    emailKey: exactColumn(254),
    /** `emailKey` while the invitation is open, because an address is invited once. */
    openKey: nullable(exactColumn(254)),
    role: choiceColumn(orgRoles, 6),
    tokenDigest: digestColumn(),
    /** The token, sealed, while the invitation is open, so that the same token can be sent again. */
    tokenSealed: nullable(bytesColumn(200)),
    /** The user who sent the invitation. */
    invitedBy: uuidColumn(),
    redirectTo: nullable(textColumn(2048)),
    createdAt: timeColumn(),
    expiresAt: timeColumn(),
    acceptedAt: nullable(timeColumn()),
    acceptedBy: nullable(uuidColumn()),
    revokedAt: nullable(timeColumn()),
  }),
  { thing: 'invitation', lookup: 'auth.org.invite.list' },
);

export type OrgInviteRow = RowOf<typeof orgInvites>;
