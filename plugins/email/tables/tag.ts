import { exactColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** The tags of messages, to find messages by. */
export const tags = defineTable('email_tag', {
  environmentId: primary(uuidColumn()),
  /** See `tagText` (core/messaging/input.ts). */
  tag: primary(exactColumn(760)),
  messageId: primary(uuidColumn()),
});
