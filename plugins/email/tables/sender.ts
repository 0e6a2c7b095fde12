import { nullable, primary, textColumn, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** The default sender of an environment. */
export const senders = defineTable('email_sender', {
  environmentId: primary(uuidColumn()),
  fromAddress: nullable(textColumn(254)),
  fromName: nullable(textColumn(120)),
  replyTo: nullable(textColumn(254)),
  legalAddress: nullable(textColumn(500)),
  updatedAt: timeColumn(),
});

export type SenderRow = RowOf<typeof senders>;
