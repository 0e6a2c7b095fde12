import { exactColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/**
 * The later parts of users’ names, so that a search finds “Ada Lovelace” by “love”. The whole name is in `nameKey` of
 * the user.
 */
export const userNames = defineTable('auth_user_name', {
  environmentId: primary(uuidColumn()),
  part: primary(exactColumn(200)),
  userId: primary(uuidColumn()),
});
