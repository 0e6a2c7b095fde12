import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { settingsTable } from './table.js';
import { defaultSettings, mergeSettings } from './defaults.js';
import type { SmsSettingsValue } from './resources.js';

/**
 * An environment's settings, with the defaults for settings that it has not changed. Nothing is cached: a change takes
 * effect with the next request, on every node.
 */
export async function loadSettings(
  db: Pick<ReadSession, 'prepared'>,
  environmentId: string,
): Promise<SmsSettingsValue> {
  const [row] = await db.prepared<object>(
    `SELECT ${settingsTable.columnList()} FROM sms_settings WHERE environment_id = ?`,
    [idBytes(environmentId)],
  );
  return row ? mergeSettings(defaultSettings, settingsTable.decode(row).changed) : defaultSettings;
}
