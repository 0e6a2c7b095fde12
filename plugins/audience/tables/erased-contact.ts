import { idColumn, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** Records that a contact existed and was erased, so that a repeated delete succeeds. */
export const erasedContacts = defineTable('audience_erased', {
  contactId: idColumn(),
  environmentId: uuidColumn(),
  erasedAt: timeColumn(),
});
