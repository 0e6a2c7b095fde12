import { roles } from '#core/kernel/caller/caller.js';
import { owned } from '#core/kernel/environment/owned.js';
import {
  bytesColumn,
  choiceColumn,
  digestColumn,
  exactColumn,
  idColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const memberStatuses = ['invited', 'active', 'removed'] as const;

export const members = owned(
  defineTable('account_member', {
    id: idColumn(),
    accountId: uuidColumn(),
    email: textColumn(254),
    /** The address in the form used to compare addresses: lower case. */
    emailKey: exactColumn(254),
    role: choiceColumn(roles, 10),
    /** If they are not null, the member has only these permissions of the role. */
    permissions: nullable(jsonColumn<string[]>()),
    status: choiceColumn(memberStatuses, 10),
    /** The inviting member's address at that time, for display; null if a key of the account sent the invitation. */
    invitedBy: nullable(textColumn(254)),
    /**
     * The member who is responsible for the invitation: the last one who sent it or set its role, directly or with one
     * of their keys.
     */
    inviterId: nullable(uuidColumn()),
    /** SHA-256 of the invitation's token, used to look up the invitation. */
    inviteDigest: nullable(digestColumn()),
    /** The token, encrypted, so that the same link can be sent again. */
    inviteSealed: nullable(bytesColumn(200)),
    inviteExpiresAt: nullable(timeColumn()),
    acceptedAt: nullable(timeColumn()),
    /** When the member proved that the address belongs to them. */
    provenAt: nullable(timeColumn()),
    createdAt: timeColumn(),
    /** When the role or the permissions were changed last; null if they were not changed since the invitation. */
    updatedAt: nullable(timeColumn()),
  }),
  { thing: 'member', lookup: 'account.member.list' },
);

export type MemberRow = RowOf<typeof members>;
