import { EntitySchema } from 'typeorm';
import { digestColumn, exactColumn, idColumn, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import type { Channel } from '../ports.js';

/** An address that a contact had before: what was sent there is found when the person is erased. */
export interface FormerAddressRow {
  contactId: string;
  channel: Channel;
  addressKey: string;
}

export const formerAddresses = new EntitySchema<FormerAddressRow>({
  name: 'audience_former_address',
  columns: {
    contactId: idColumn(),
    channel: exactColumn(5, { primary: true }),
    addressKey: exactColumn(254, { primary: true }),
  },
});

/** An erased person: enough to tell that an address has a history, and nothing to read the address from. */
export interface ErasedRow {
  contactId: string;
  environmentId: string;
  emailDigest: Buffer | null;
  phoneDigest: Buffer | null;
  erasedAt: Date;
}

export const erasedContacts = new EntitySchema<ErasedRow>({
  name: 'audience_erased',
  columns: {
    contactId: idColumn(),
    environmentId: uuidColumn(),
    emailDigest: digestColumn({ nullable: true }),
    phoneDigest: digestColumn({ nullable: true }),
    erasedAt: timeColumn(),
  },
});
