import {
  choiceColumn,
  digestColumn,
  exactColumn,
  idColumn,
  nullable,
  primary,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';
import { channels } from '../channels.js';

/** An address that a contact had before, or had when it was erased. */
export const formerAddresses = defineTable('audience_former_address', {
  contactId: idColumn(),
  channel: primary(choiceColumn(channels, 5)),
  addressDigest: primary(digestColumn()),
  environmentId: uuidColumn(),
  /** The address as it is compared; null once the person is erased. */
  addressKey: nullable(exactColumn(254)),
});

export type FormerAddressRow = RowOf<typeof formerAddresses>;
