import { idColumn, jsonColumn, timeColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';
import type { ChangedSettings } from './defaults.js';

/** The settings that an environment has changed; the others have their defaults. */
export const settingsTable = defineTable('sms_settings', {
  environmentId: idColumn(),
  changed: jsonColumn<ChangedSettings>(),
  updatedAt: timeColumn(),
});
