import { statChangeColumns, statColumns } from '#core/messaging/stat-tables.js';
import { defineTable } from '#core/runtime/database/table.js';

export const stats = defineTable('sms_stat', statColumns);
export const statChanges = defineTable('sms_stat_change', statChangeColumns);

/** Where sms counts its messages. */
export const statTables = { counts: stats, changes: statChanges };
