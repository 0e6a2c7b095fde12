import { blobColumn, idColumn, longTextColumn, nullable } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/**
 * The contents of messages. Messages to many recipients share one; the content of a single message has the message's
 * id.
 */
export const contents = defineTable('email_content', {
  id: idColumn(),
  textBody: nullable(longTextColumn()),
  htmlBody: nullable(longTextColumn()),
  /** System mail: subject, text and HTML, encrypted. Deleted once the message has ended. */
  sealed: nullable(blobColumn()),
});

export type ContentRow = RowOf<typeof contents>;
