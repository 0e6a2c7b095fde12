import { exactColumn, flagColumn, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** Password hashes: argon2id or, until the first sign-in, the format of the system from which they were imported. */
export const passwords = defineTable('auth_password', {
  userId: primary(uuidColumn()),
  environmentId: uuidColumn(),
  /** A PHC string, or one of the foreign formats in passwords/. */
  hash: exactColumn(2000),
  /**
   * Whether the signed-in user set it, who has proven an address; false for passwords that a server set or imported.
   */
  byUser: flagColumn(),
  createdAt: timeColumn(),
  updatedAt: timeColumn(),
});

export type PasswordRow = RowOf<typeof passwords>;
