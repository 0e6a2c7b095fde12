import {
  digestColumn,
  exactColumn,
  idColumn,
  nullable,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** Secrets with which apps authenticate at the OpenID provider. */
export const appSecrets = defineTable('auth_app_secret', {
  id: idColumn(),
  environmentId: uuidColumn(),
  /** The app's key in the settings, which is its `client_id`. */
  appId: exactColumn(64),
  secretDigest: digestColumn(),
  createdAt: timeColumn(),
  /** When a replaced secret stops working; null for the current one. */
  expiresAt: nullable(timeColumn()),
});

export type AppSecretRow = RowOf<typeof appSecrets>;
