import { EntitySchema } from 'typeorm';
import { blobColumn, longTextColumn, nullable, primary, uuidColumn } from '#core/runtime/database/columns.js';

export interface ContentRow {
  messageId: string;
  textBody: string | null;
  htmlBody: string | null;
  /** System mail: subject, text and HTML encrypted, and erased once sent. */
  sealed: Buffer | null;
}

export const contents = new EntitySchema<ContentRow>({
  name: 'email_content',
  columns: {
    messageId: primary(uuidColumn()),
    textBody: nullable(longTextColumn()),
    htmlBody: nullable(longTextColumn()),
    sealed: nullable(blobColumn()),
  },
});
