import {
  bytesColumn,
  digestColumn,
  exactColumn,
  flagColumn,
  jsonColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** Sign-ins that are at a provider. Deleted a day after they expire. */
export const oauthStates = defineTable('auth_oauth_state', {
  stateDigest: primary(digestColumn()),
  environmentId: uuidColumn(),
  provider: exactColumn(64),
  browserDigest: digestColumn(),
  nonce: exactColumn(86),
  /** Sealed. */
  codeVerifier: bytesColumn(300),
  redirectTo: textColumn(2048),
  handoff: flagColumn(),
  /** See ReturnTarget. */
  appState: nullable(exactColumn(256)),
  appChallenge: nullable(exactColumn(43)),
  /** A hosted page started it, and completes it. */
  hosted: flagColumn(),
  /** The signed-in user who adds the identity. */
  userId: nullable(uuidColumn()),
  sessionId: nullable(uuidColumn()),
  /** What Apple says about the user, once, beside the code. */
  providerUser: nullable(jsonColumn<Record<string, unknown>>()),
  createdAt: timeColumn(),
  expiresAt: timeColumn(),
  usedAt: nullable(timeColumn()),
});

export type OAuthStateRow = RowOf<typeof oauthStates>;
