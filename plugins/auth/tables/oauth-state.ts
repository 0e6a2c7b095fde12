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

/** Sign-ins that are waiting for a provider. Deleted a day after they expire. */
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
  /** Whether a hosted page started it and will complete it. */
  hosted: flagColumn(),
  /** The signed-in user who is adding the identity. */
  userId: nullable(uuidColumn()),
  sessionId: nullable(uuidColumn()),
  /** What Apple sends about the user, once, with the code. */
  providerUser: nullable(jsonColumn<Record<string, unknown>>()),
  createdAt: timeColumn(),
  expiresAt: timeColumn(),
  usedAt: nullable(timeColumn()),
});

export type OAuthStateRow = RowOf<typeof oauthStates>;
