import { idColumn, jsonColumn, longTextColumn, nullable } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** The content of received mail. */
export const inboundContents = defineTable('email_inbound_content', {
  id: idColumn(),
  textBody: nullable(longTextColumn()),
  /** Sanitised. */
  htmlBody: nullable(longTextColumn()),
  /** By lower-case name. */
  headers: jsonColumn<Record<string, string>>(),
});
