import { idColumn, intColumn, smallintColumn, textColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** The attachments of received mail. */
export const inboundAttachments = defineTable('email_inbound_attachment', {
  id: idColumn(),
  contentId: uuidColumn(),
  position: smallintColumn(),
  filename: textColumn(255),
  contentType: textColumn(255),
  bytes: intColumn(),
});
