import { EntitySchema } from 'typeorm';
import { exactColumn, uuidColumn } from '#core/runtime/database/columns.js';

export interface TagRow {
  environmentId: string;
  /** `key=value` */
  tag: string;
  messageId: string;
}

export const tags = new EntitySchema<TagRow>({
  name: 'email_tag',
  columns: {
    environmentId: { ...uuidColumn(), primary: true },
    tag: exactColumn(760, { primary: true }),
    messageId: { ...uuidColumn(), primary: true },
  },
});
