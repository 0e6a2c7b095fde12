import {
  intColumn,
  nullable,
  primary,
  smallintColumn,
  textColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/** The attachments of a content. */
export const attachments = defineTable('email_attachment', {
  contentId: primary(uuidColumn()),
  position: primary(smallintColumn()),
  filename: textColumn(255),
  contentType: textColumn(255),
  /** The name in `cid:` links in the HTML; null for an attachment that is not inline. */
  inlineId: nullable(textColumn(255)),
  bytes: intColumn(),
});

export type AttachmentRow = RowOf<typeof attachments>;
