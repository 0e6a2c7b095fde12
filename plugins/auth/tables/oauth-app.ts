import {
  bytesColumn,
  exactColumn,
  flagColumn,
  idColumn,
  jsonColumn,
  nullable,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** The providers that an environment’s users may sign in with. */
export const oauthApps = defineTable('auth_oauth_app', {
  id: idColumn(),
  environmentId: uuidColumn(),
  provider: exactColumn(64),
  name: textColumn(120),
  clientId: textColumn(500),
  /** Sealed. */
  clientSecret: nullable(bytesColumn(8000)),
  issuer: nullable(textColumn(2048)),
  scopes: jsonColumn<string[]>(),
  enabled: flagColumn(),
  createdAt: timeColumn(),
  updatedAt: timeColumn(),
  /** Once set, it is not enabled and has no secret. */
  removedAt: nullable(timeColumn()),
});

export type OAuthAppRow = RowOf<typeof oauthApps>;
