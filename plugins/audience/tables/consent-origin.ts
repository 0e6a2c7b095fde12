import { EntitySchema } from 'typeorm';
import { idColumn, textColumn, uuidColumn } from '#core/runtime/database/columns.js';

/** Where a consent record was given from: a personal fact, and so apart from the record, which is never changed. */
export interface ConsentOriginRow {
  recordId: string;
  contactId: string;
  ip: string;
}

export const consentOrigins = new EntitySchema<ConsentOriginRow>({
  name: 'audience_consent_origin',
  columns: { recordId: idColumn(), contactId: uuidColumn(), ip: textColumn(45) },
});
