import { EntitySchema } from 'typeorm';
import { intColumn, textColumn, uuidColumn } from '#core/runtime/database/columns.js';

export interface AttachmentRow {
  messageId: string;
  position: number;
  filename: string;
  contentType: string;
  contentId: string | null;
  bytes: number;
}

export const attachments = new EntitySchema<AttachmentRow>({
  name: 'email_attachment',
  columns: {
    messageId: { ...uuidColumn(), primary: true },
    position: { type: 'smallint', primary: true },
    filename: textColumn(255),
    contentType: textColumn(255),
    contentId: textColumn(255, { nullable: true }),
    bytes: intColumn(),
  },
});
