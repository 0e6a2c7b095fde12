import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { authSettings } from '../tables/settings.js';
import { defaultSettings } from './defaults.js';
import { mergeSettings } from './merge.js';
import type { AuthSettingsValue } from './resources.js';

/**
 * An environment's settings, with the defaults for what it has not changed. Read anew each time: a change counts from the next request on,
 * on every node.
 */
export async function loadSettings(db: ReadSession, environmentId: string): Promise<AuthSettingsValue> {
  const [row] = await db.prepared<object>(
    `SELECT ${authSettings.columnList()} FROM auth_settings WHERE environment_id = ?`,
    [idBytes(environmentId)],
  );
  return row ? mergeSettings(defaultSettings, authSettings.decode(row).changed) : defaultSettings;
}
