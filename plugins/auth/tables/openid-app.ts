import { exactColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** The apps of the settings. One that is removed and added again under the same key is another app. */
export const openidApps = defineTable('auth_openid_app', {
  environmentId: primary(uuidColumn()),
  /** The app's key in the settings, which is its `client_id`. */
  appId: primary(exactColumn(64)),
  id: uuidColumn(),
});
