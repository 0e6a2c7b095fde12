import { EntitySchema } from 'typeorm';
import {
  intColumn,
  nullable,
  primary,
  smallintColumn,
  textColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';

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
    messageId: primary(uuidColumn()),
    position: primary(smallintColumn()),
    filename: textColumn(255),
    contentType: textColumn(255),
    contentId: nullable(textColumn(255)),
    bytes: intColumn(),
  },
});
