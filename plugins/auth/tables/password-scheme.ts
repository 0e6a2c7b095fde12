import { digestColumn, exactColumn, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/**
 * The cost of checking passwords of other systems in an environment: for each algorithm with its parameters, a hash
 * that belongs to nobody.
 */
export const passwordSchemes = defineTable('auth_password_scheme', {
  environmentId: primary(uuidColumn()),
  /** SHA-256 of the hash. */
  digest: primary(digestColumn()),
  hash: exactColumn(512),
  createdAt: timeColumn(),
});
