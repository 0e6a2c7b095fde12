import { digestColumn, nullable, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** One-time codes that hand a finished sign-in over to the app. */
export const handoffs = defineTable('auth_handoff', {
  codeDigest: primary(digestColumn()),
  environmentId: uuidColumn(),
  sessionId: uuidColumn(),
  createdAt: timeColumn(),
  expiresAt: timeColumn(),
  usedAt: nullable(timeColumn()),
});
