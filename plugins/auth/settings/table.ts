import { jsonColumn, nullable, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';
import type { SettingsPatch } from './resources.js';

/** The sign-in settings that an environment has changed. Absent settings have their defaults. */
export const authSettings = defineTable('auth_settings', {
  environmentId: primary(uuidColumn()),
  /** Only the changed settings. */
  changed: jsonColumn<SettingsPatch>(),
  /** When impersonation was last turned off. Sessions impersonated before that have ended. */
  impersonationEndedAt: nullable(timeColumn()),
  updatedAt: timeColumn(),
});
