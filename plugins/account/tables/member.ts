import { EntitySchema } from 'typeorm';
import type { Role } from '#core/kernel/caller/caller.js';
import {
  bytesColumn,
  digestColumn,
  exactColumn,
  idColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

export interface MemberRow {
  id: string;
  accountId: string;
  email: string;
  /** The address as it is compared: lower case. */
  emailKey: string;
  role: Role;
  status: 'invited' | 'active' | 'removed';
  invitedBy: string | null;
  /** SHA-256 of the invitation's token, to find it by. */
  inviteDigest: Buffer | null;
  /** The token, encrypted: the same link is sent again. */
  inviteSealed: Buffer | null;
  inviteExpiresAt: Date | null;
  acceptedAt: Date | null;
  /** When the address was proven to be the member's. */
  provenAt: Date | null;
  createdAt: Date;
}

export const members = new EntitySchema<MemberRow>({
  name: 'account_member',
  columns: {
    id: idColumn(),
    accountId: uuidColumn(),
    email: textColumn(254),
    emailKey: exactColumn(254),
    role: exactColumn(10),
    status: exactColumn(10),
    invitedBy: nullable(textColumn(254)),
    inviteDigest: nullable(digestColumn()),
    inviteSealed: nullable(bytesColumn(200)),
    inviteExpiresAt: nullable(timeColumn()),
    acceptedAt: nullable(timeColumn()),
    provenAt: nullable(timeColumn()),
    createdAt: timeColumn(),
  },
});
