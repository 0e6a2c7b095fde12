import { recipientColumns } from '#core/messaging/tables.js';
import { intColumn, nullable } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** Each message has one. */
export const recipients = defineTable('sms_recipient', { ...recipientColumns, code: nullable(intColumn()) });
