import { attemptColumns } from '#core/messaging/tables.js';
import { defineTable } from '#core/runtime/database/table.js';

export const attempts = defineTable('email_attempt', attemptColumns);
