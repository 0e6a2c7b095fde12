import { SettingsError, type Settings } from '#config/read.js';
import type { Plugin } from '../plugin.js';
import type { coreSettings } from '../settings.js';

/* What the settings alone say about a start. The server checks it, and so does `svc doctor`. */

export type AllSettings = Settings<typeof coreSettings>;

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether other machines can reach svc, that is, whether SVC_BASE_URL is not a loopback address. */
export const isProduction = ({ baseUrl }: Pick<AllSettings['core'], 'baseUrl'>): boolean =>
  baseUrl !== undefined && !loopback.has(new URL(baseUrl).hostname);

/**
 * Checks the settings that the enabled plugins need.
 * @throws SettingsError with all problems
 */
export function requireStartable({ core, of }: AllSettings, plugins: readonly Plugin[]): void {
  const production = isProduction(core);
  const problems = enabledOf(core, plugins).flatMap(
    (plugin) => plugin.startProblems?.({ production, settingsOf: of }) ?? [],
  );
  if (problems.length > 0) throw new SettingsError(problems);
}

/** The plugins that SVC_PRODUCTS enables. */
export const enabledOf = ({ products }: AllSettings['core'], plugins: readonly Plugin[]): Plugin[] =>
  plugins.filter(({ name, alwaysOn }) => alwaysOn === true || products.length === 0 || products.includes(name));
