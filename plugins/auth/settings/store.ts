import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { authSettings, loadSettings } from './load.js';
import { type AuthSettingsValue, type SettingsPatch, defaultSettings } from './resources.js';
import { differingSettings } from '#core/kernel/environment/settings.js';

/** Reads an environment's settings and locks them until the transaction ends, so that two concurrent changes merge. */
export async function lockSettings({ db, clock }: Context, { id }: Environment): Promise<AuthSettingsValue> {
  // The row is inserted before it is locked: before the first change there is nothing to lock.
  await db.run(
    'INSERT INTO auth_settings (environment_id, changed, updated_at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE environment_id = environment_id',
    [idBytes(id), '{}', clock.now()],
  );
  await db.rows('SELECT environment_id FROM auth_settings WHERE environment_id = ? FOR UPDATE', [idBytes(id)]);
  return loadSettings(db, id);
}

/** When the settings were changed last; null before the first change. */
export const settingsTime = async (db: Pick<ReadSession, 'findOne'>, environmentId: string): Promise<Date | null> =>
  (await db.findOne(authSettings, { environmentId }))?.updatedAt ?? null;

/**
 * Stores the settings of an environment that differ from the defaults. Impersonated sessions end if impersonation is
 * now off.
 */
export async function storeSettings(
  db: Session,
  environmentId: string,
  settings: AuthSettingsValue,
  at: Date,
): Promise<void> {
  const changed = { changed: changedSettings(settings), updatedAt: at };
  const ended = settings.impersonation.enabled ? {} : { impersonationEndedAt: at };
  await db.update(authSettings, { environmentId }, { ...changed, ...ended });
}

/** The part of some settings that differs from the defaults. This is what is stored. */
function changedSettings(settings: AuthSettingsValue): SettingsPatch;
function changedSettings(settings: AuthSettingsValue): unknown {
  return differingSettings(settings, defaultSettings);
}
