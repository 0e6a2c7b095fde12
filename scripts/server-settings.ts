import { coreSettings } from '#core/kernel/settings.js';
import { readSettings, type Settings } from '#config/read.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import type { Plugin } from '#core/kernel/plugin.js';

/**
 * The plugins of this installation, and the settings from the SVC_* variables. @throws SettingsError with all problems
 * together
 */
export async function serverSettings(): Promise<{
  plugins: readonly Plugin[];
  settings: Settings<typeof coreSettings>;
}> {
  const plugins = await findPlugins();
  const groups = plugins.flatMap((plugin) => (plugin.settings ? [plugin.settings] : []));
  return { plugins, settings: readSettings(coreSettings, groups, process.env) };
}
