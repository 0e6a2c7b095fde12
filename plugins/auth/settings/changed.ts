import { isDeepStrictEqual } from 'node:util';
import type { Change } from '#core/kernel/context.js';
import { defaultSettings } from './defaults.js';
import type { AuthSettingsValue, SettingsPatch } from './resources.js';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function leaves(value: unknown, path: string, found: Map<string, unknown>): Map<string, unknown> {
  if (!isObject(value)) return found.set(path, value);
  for (const [name, each] of Object.entries(value)) leaves(each, path === '' ? name : `${path}.${name}`, found);
  return found;
}

/** The settings that differ, each by its path: `rateLimits.startPerIp.max`. */
export function settingChanges(before: AuthSettingsValue, after: AuthSettingsValue): Change[] {
  const [from, to] = [leaves(before, '', new Map()), leaves(after, '', new Map())];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((field) => !isDeepStrictEqual(from.get(field), to.get(field)))
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }));
}

/** What of some settings is not as by default: what is stored of them. */
export function changedSettings(settings: AuthSettingsValue): SettingsPatch;
export function changedSettings(settings: AuthSettingsValue): unknown {
  return differing(settings, defaultSettings);
}

function differing(settings: Fields, defaults: Fields): Fields {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    const standard = defaults[name];
    if (isDeepStrictEqual(value, standard)) continue;
    changed[name] = isObject(value) && isObject(standard) ? differing(value, standard) : value;
  }
  return changed;
}
