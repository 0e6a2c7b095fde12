import { differingSettings } from '#core/kernel/environment/settings.js';
import { defaultSettings } from './defaults.js';
import type { AuthSettingsValue, SettingsPatch } from './resources.js';

/** The part of some settings that differs from the defaults. This is what is stored. */
export function changedSettings(settings: AuthSettingsValue): SettingsPatch;
export function changedSettings(settings: AuthSettingsValue): unknown {
  return differingSettings(settings, defaultSettings);
}
