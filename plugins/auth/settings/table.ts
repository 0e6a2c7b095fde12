import { jsonColumn, nullable, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';
import type { SettingsPatch } from './resources.js';

/** What an environment changed of its sign-in settings; absent ones have their defaults. */
export const authSettings = defineTable('auth_settings', {
  environmentId: primary(uuidColumn()),
  /** The changed settings alone. */
  changed: jsonColumn<SettingsPatch>(),
  /** When impersonation was last turned off: sessions that were impersonated before have ended. */
  impersonationEndedAt: nullable(timeColumn()),
  updatedAt: timeColumn(),
});
