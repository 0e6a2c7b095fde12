import { updateTime } from '#core/kernel/audit/unchanged.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { differingSettings } from '#core/kernel/environment/settings.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { settingsTable } from './table.js';
import { defaultSettings, type ChangedSettings } from './defaults.js';
import { loadSettings } from './load.js';
import type { SmsSettingsValue } from './resources.js';

type Storing = Pick<Context, 'db' | 'clock'>;

/**
 * Reads an environment's settings and locks them until the transaction ends, so that two simultaneous changes merge.
 */
export async function lockSettings({ db, clock }: Storing, { id }: Pick<Environment, 'id'>): Promise<SmsSettingsValue> {
  // The same lock as in releasing a number, so that no number becomes the default while it is given back.
  await lockEnvironment(db, id);
  // Inserted before it is locked: there is nothing to lock before the first change.
  await db.run(
    'INSERT INTO sms_settings (environment_id, changed, updated_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE environment_id = environment_id',
    [idBytes(id), '{}', clock.now()],
  );
  await db.rows('SELECT environment_id FROM sms_settings WHERE environment_id = ? FOR UPDATE', [idBytes(id)]);
  return loadSettings(db, id);
}

/** When the settings were changed last; null before the first change. */
export const settingsTime = async (db: Pick<ReadSession, 'findOne'>, environmentId: string): Promise<Date | null> =>
  (await db.findOne(settingsTable, { environmentId }))?.updatedAt ?? null;

/** Stores the settings of an environment that differ from the defaults. @returns their `updatedAt` */
export async function storeSettings(
  { db, clock }: Storing,
  environmentId: string,
  settings: SmsSettingsValue,
): Promise<Date> {
  const now = clock.now();
  const updatedAt = updateTime({ updatedAt: (await settingsTime(db, environmentId)) ?? now }, now);
  await db.update(settingsTable, { environmentId }, { changed: changedSettings(settings), updatedAt });
  return updatedAt;
}

function changedSettings(settings: SmsSettingsValue): ChangedSettings;
function changedSettings(settings: SmsSettingsValue): unknown {
  return differingSettings(settings, defaultSettings);
}
