import { exactColumn, flagColumn, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** Password hashes: argon2id, or the format of the system they were imported from until the first sign-in. */
export const passwords = defineTable('auth_password', {
  userId: primary(uuidColumn()),
  environmentId: uuidColumn(),
  /** A PHC string, or one of the foreign formats in passwords/. */
  hash: exactColumn(2000),
  /** Set by the signed-in user themself, who has proven an address; false for passwords that a server set or imported. */
  byUser: flagColumn(),
  createdAt: timeColumn(),
  updatedAt: timeColumn(),
});

export type PasswordRow = RowOf<typeof passwords>;
