import type { ReadContext } from '#core/kernel/context.js';
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

/** By the request's facts, which are an object of their own for each request. */
const settingsOfRequests = new WeakMap<object, { environmentId: string; settings: Promise<AuthSettingsValue> }>();

/**
 * The same, read once in each request: its limits, its checks before the transaction and its handler see the same settings, and cost one
 * question together. Not for what changes settings.
 */
export function settingsOfCall(
  { db, caller }: Pick<ReadContext, 'db' | 'caller'>,
  environmentId: string,
): Promise<AuthSettingsValue> {
  const known = settingsOfRequests.get(caller.request);
  if (known?.environmentId === environmentId) return known.settings;
  const settings = loadSettings(db, environmentId);
  settingsOfRequests.set(caller.request, { environmentId, settings });
  // A failed read is not kept: the transaction may run again.
  settings.catch(() => settingsOfRequests.delete(caller.request));
  return settings;
}
