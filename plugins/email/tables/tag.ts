import { EntitySchema } from 'typeorm';
import { exactColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';

export interface TagRow {
  environmentId: string;
  /** See tagText. */
  tag: string;
  messageId: string;
}

/** A tag as it is kept and asked for. */
export const tagText = (name: string, value: string): string => `${name}=${value}`;

export const tags = new EntitySchema<TagRow>({
  name: 'email_tag',
  columns: {
    environmentId: primary(uuidColumn()),
    tag: primary(exactColumn(760)),
    messageId: primary(uuidColumn()),
  },
});
