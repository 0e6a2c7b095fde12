import { statChangeColumns, statColumns } from '#core/messaging/stat-tables.js';
import { defineTable } from '#core/runtime/database/table.js';

export const stats = defineTable('email_stat', statColumns);
export const statChanges = defineTable('email_stat_change', statChangeColumns);

/** Where email counts its messages. */
export const statTables = { counts: stats, changes: statChanges };
