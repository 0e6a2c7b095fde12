import { blobColumn, primary, smallintColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/**
 * The bytes of an attachment, at most 1 MiB per row: encoded as hex, larger rows exceed the server's
 * max_allowed_packet.
 */
export const attachmentParts = defineTable('email_attachment_part', {
  contentId: primary(uuidColumn()),
  position: primary(smallintColumn()),
  part: primary(smallintColumn()),
  data: blobColumn(),
});
