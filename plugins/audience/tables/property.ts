import { bytesColumn, fixedBytesColumn, idColumn, primary } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** One property of a contact, encoded for the index that segments use (contacts/value-key.ts). */
export const properties = defineTable('audience_property', {
  contactId: idColumn(),
  /** `nameId` of the property's key. */
  keyId: primary(fixedBytesColumn(8)),
  value: bytesColumn(2001),
});
