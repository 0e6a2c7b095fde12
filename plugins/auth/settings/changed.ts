import { differingSettings } from '#core/kernel/environment/settings.js';
import { defaultSettings } from './defaults.js';
import type { AuthSettingsValue, SettingsPatch } from './resources.js';

/** What of some settings is not as by default: what is stored of them. */
export function changedSettings(settings: AuthSettingsValue): SettingsPatch;
export function changedSettings(settings: AuthSettingsValue): unknown {
  return differingSettings(settings, defaultSettings);
}
