import { EntitySchema } from 'typeorm';
import {
  digestColumn,
  exactColumn,
  idColumn,
  nullable,
  primary,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import type { Channel } from '../ports.js';

/** An address that a contact had before, or had when it was erased. */
export interface FormerAddressRow {
  contactId: string;
  channel: Channel;
  addressDigest: Buffer;
  environmentId: string;
  /** The address as it is compared; null once the person was erased. */
  addressKey: string | null;
}

export const formerAddresses = new EntitySchema<FormerAddressRow>({
  name: 'audience_former_address',
  columns: {
    contactId: idColumn(),
    channel: primary(exactColumn(5)),
    addressDigest: primary(digestColumn()),
    environmentId: uuidColumn(),
    addressKey: nullable(exactColumn(254)),
  },
});

/** An erased person: enough to tell that the contact was there. */
export interface ErasedRow {
  contactId: string;
  environmentId: string;
  erasedAt: Date;
}

export const erasedContacts = new EntitySchema<ErasedRow>({
  name: 'audience_erased',
  columns: {
    contactId: idColumn(),
    environmentId: uuidColumn(),
    erasedAt: timeColumn(),
  },
});
