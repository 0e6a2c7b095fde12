import { primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** Deleted users. Only their ids are kept, so that a repeated deletion answers as done. */
export const erasedUsers = defineTable('auth_erased_user', {
  userId: primary(uuidColumn()),
  environmentId: uuidColumn(),
  createdAt: timeColumn(),
  erasedAt: timeColumn(),
});

export type ErasedUserRow = RowOf<typeof erasedUsers>;
