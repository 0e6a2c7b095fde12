import { digestColumn, exactColumn, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** What checking a password of another system costs in an environment: a hash of nobody for each algorithm with its parameters. */
export const passwordSchemes = defineTable('auth_password_scheme', {
  environmentId: primary(uuidColumn()),
  /** SHA-256 of the hash. */
  digest: primary(digestColumn()),
  hash: exactColumn(512),
  createdAt: timeColumn(),
});
