import { blobColumn, primary, smallintColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** The bytes of an attachment of received mail, at most 1 MiB per row: see attachment-part.ts. */
export const inboundParts = defineTable('email_inbound_part', {
  contentId: primary(uuidColumn()),
  position: primary(smallintColumn()),
  part: primary(smallintColumn()),
  data: blobColumn(),
});
