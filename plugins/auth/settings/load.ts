import type { ReadContext } from '#core/kernel/context.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import type { SharedRead } from '#core/runtime/database/session.js';
import { idBytes } from '#core/runtime/id.js';
import { defaultSettings, type AuthSettingsValue, type SettingsPatch } from './resources.js';
import { mergeSettings } from './merge.js';
import { jsonColumn, nullable, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** The sign-in settings that an environment has changed. Absent settings have their defaults. */
export const authSettings = defineTable('auth_settings', {
  environmentId: primary(uuidColumn()),
  /** Only the changed settings. */
  changed: jsonColumn<SettingsPatch>(),
  /** When impersonation was last turned off. Sessions impersonated before that have ended. */
  impersonationEndedAt: nullable(timeColumn()),
  updatedAt: timeColumn(),
});

const byEnvironment: SharedRead<string, AuthSettingsValue> = {
  parts: { environment_id: 'BINARY(16)' },
  sql: (asked) => `SELECT asked.place, ${authSettings.columnList('a')}
    FROM ${asked} STRAIGHT_JOIN auth_settings a ON a.environment_id = asked.environment_id`,
  parametersOf: (environmentId) => [idBytes(environmentId)],
  foundIn: (row) => (row ? mergeSettings(defaultSettings, authSettings.decode(row).changed) : defaultSettings),
};

/**
 * An environment's settings, with the defaults for those that it has not changed. They are read each time, so a change
 * takes effect with the next request on every node.
 */
export const loadSettings = (db: ReadSession, environmentId: string): Promise<AuthSettingsValue> =>
  db.readShared(byEnvironment, environmentId);

/** By the request object, of which each request has its own. */
const settingsOfRequests = new WeakMap<object, { environmentId: string; settings: Promise<AuthSettingsValue> }>();

/**
 * The same, read once per request. The limits, the checks before the transaction and the handler share one query and
 * see the same settings. Do not use it to change settings.
 */
export function settingsOfCall(
  { db, caller }: Pick<ReadContext, 'db' | 'caller'>,
  environmentId: string,
): Promise<AuthSettingsValue> {
  const known = settingsOfRequests.get(caller.request);
  if (known?.environmentId === environmentId) return known.settings;
  const settings = loadSettings(db, environmentId);
  settingsOfRequests.set(caller.request, { environmentId, settings });
  // A failed read is not kept, because the transaction may run again.
  settings.catch(() => settingsOfRequests.delete(caller.request));
  return settings;
}
