import { EntitySchema } from 'typeorm';
import { blobColumn, primary, smallintColumn, uuidColumn } from '#core/runtime/database/columns.js';

export interface AttachmentPartRow {
  messageId: string;
  position: number;
  part: number;
  data: Buffer;
}

/** At most 1 MiB a row: hex doubling would take larger ones past the server's packet. */
export const attachmentParts = new EntitySchema<AttachmentPartRow>({
  name: 'email_attachment_part',
  columns: {
    messageId: primary(uuidColumn()),
    position: primary(smallintColumn()),
    part: primary(smallintColumn()),
    data: blobColumn(),
  },
});
