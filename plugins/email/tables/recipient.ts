import { recipientColumns } from '#core/messaging/tables.js';
import { defineTable } from '#core/runtime/database/table.js';

export const recipients = defineTable('email_recipient', recipientColumns);
