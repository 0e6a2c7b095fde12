import { attemptColumns } from '#core/messaging/tables.js';
import { intColumn, nullable } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

export const attempts = defineTable('sms_attempt', { ...attemptColumns, code: nullable(intColumn()) });
