import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '#core/runtime/json.js';
import type { Change } from '../context.js';

/*
 * Settings of an environment, which a product has defaults for. They are trees of objects; a list is a leaf, like any
 * other value that is not an object.
 */

function leaves(value: unknown, path: string, found: Map<string, unknown>): Map<string, unknown> {
  if (!isRecord(value)) return found.set(path, value);
  for (const [name, each] of Object.entries(value)) leaves(each, path === '' ? name : `${path}.${name}`, found);
  return found;
}

/** The settings that differ, for the audit record, by path: `rateLimits.startPerIp.max`. */
export function settingChanges(before: object, after: object): Change[] {
  const [from, to] = [leaves(before, '', new Map()), leaves(after, '', new Map())];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((field) => !isDeepStrictEqual(from.get(field), to.get(field)))
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }));
}

/** The settings that differ from their defaults. Only these are stored. */
export function differingSettings(settings: object, defaults: object): Record<string, unknown> {
  const standard = new Map<string, unknown>(Object.entries<unknown>({ ...defaults }));
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries<unknown>({ ...settings })) {
    const other = standard.get(name);
    if (isDeepStrictEqual(value, other)) continue;
    changed[name] = isRecord(value) && isRecord(other) ? differingSettings(value, other) : value;
  }
  return changed;
}
