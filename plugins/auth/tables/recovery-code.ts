import { digestColumn, nullable, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** Recovery codes, as keyed digests. */
export const recoveryCodes = defineTable('auth_recovery_code', {
  userId: primary(uuidColumn()),
  codeDigest: primary(digestColumn()),
  environmentId: uuidColumn(),
  createdAt: timeColumn(),
  usedAt: nullable(timeColumn()),
});
