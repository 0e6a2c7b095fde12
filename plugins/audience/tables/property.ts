import { EntitySchema } from 'typeorm';
import { bytesColumn, fixedBytesColumn, idColumn, primary } from '#core/runtime/database/columns.js';

/** One property of a contact, in the encoding that segments look it up by (rules/contact/value-key.ts). */
export interface PropertyRow {
  contactId: string;
  /** `nameId` of the property's key. */
  keyId: Buffer;
  value: Buffer;
}

export const properties = new EntitySchema<PropertyRow>({
  name: 'audience_property',
  columns: {
    contactId: idColumn(),
    keyId: primary(fixedBytesColumn(8)),
    value: bytesColumn(2001),
  },
});
