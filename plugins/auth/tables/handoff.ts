import {
  digestColumn,
  exactColumn,
  nullable,
  primary,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** One-time codes that hand a finished sign-in over to the app. */
export const handoffs = defineTable('auth_handoff', {
  codeDigest: primary(digestColumn()),
  environmentId: uuidColumn(),
  sessionId: uuidColumn(),
  /** The PKCE challenge of the app that receives the code. */
  appChallenge: nullable(exactColumn(43)),
  createdAt: timeColumn(),
  expiresAt: timeColumn(),
  usedAt: nullable(timeColumn()),
});

export type HandoffRow = RowOf<typeof handoffs>;
