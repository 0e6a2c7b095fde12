import {
  choiceColumn,
  exactColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/**
 * What carriers reported about texts after the provider accepted them; `sent` only if that was not known yet. A
 * repeated report changes nothing.
 */
export const reports = defineTable('sms_report', {
  messageId: primary(uuidColumn()),
  /** The provider's id of the text: a message that was submitted twice has two. */
  providerId: primary(exactColumn(255)),
  status: primary(choiceColumn(['sent', 'delivered', 'failed'], 12)),
  code: nullable(exactColumn(40)),
  detail: nullable(textColumn(500)),
  at: timeColumn(),
});

export type ReportRow = RowOf<typeof reports>;
