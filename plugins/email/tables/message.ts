import { owned } from '#core/kernel/environment/owned.js';
import { messageColumns } from '#core/messaging/tables.js';
import { bodyTextColumn, jsonColumn, nullable, textColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

export const messages = owned(
  defineTable('email_message', {
    ...messageColumns,
    fromAddress: textColumn(254),
    fromName: nullable(textColumn(120)),
    replyTo: jsonColumn<string[]>(),
    toAddresses: jsonColumn<string[]>(),
    ccAddresses: jsonColumn<string[]>(),
    bccAddresses: jsonColumn<string[]>(),
    /** Display names by address, of to, cc and replyTo. */
    displayNames: nullable(jsonColumn<Record<string, string>>()),
    /** Null for system mail, whose subject may hold a code, and once a recipient was erased. */
    subject: nullable(bodyTextColumn()),
    headers: jsonColumn<Record<string, string>>(),
  }),
  { thing: 'message', lookup: 'email.message.list' },
);

export type MessageRow = RowOf<typeof messages>;
