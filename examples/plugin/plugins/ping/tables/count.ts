import { intColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

export const counts = defineTable('ping_count', {
  environmentId: primary(uuidColumn()),
  added: intColumn(),
});
