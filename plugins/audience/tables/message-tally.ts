import { choiceColumn, idColumn, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';
import { channels } from '../channels.js';

/** When a contact was last sent a message on a channel. */
export const messageTallies = defineTable('audience_message_tally', {
  contactId: idColumn(),
  channel: primary(choiceColumn(channels, 5)),
  environmentId: uuidColumn(),
  lastSentAt: timeColumn(),
});
