import { exactColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** A tag as the table holds it. */
export const tagText = (name: string, value: string): string => `${name}=${value}`;

/** The tags of messages, to find messages by. */
export const tags = defineTable('email_tag', {
  environmentId: primary(uuidColumn()),
  /** See tagText. */
  tag: primary(exactColumn(760)),
  messageId: primary(uuidColumn()),
});
