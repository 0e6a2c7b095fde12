import { EntitySchema } from 'typeorm';
import { exactColumn, idColumn, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import type { Channel } from '../ports.js';

/** When a contact was last sent a message on a channel. */
export interface MessageTallyRow {
  contactId: string;
  channel: Channel;
  environmentId: string;
  lastSentAt: Date;
}

export const messageTallies = new EntitySchema<MessageTallyRow>({
  name: 'audience_message_tally',
  columns: {
    contactId: idColumn(),
    channel: primary(exactColumn(5)),
    environmentId: uuidColumn(),
    lastSentAt: timeColumn(),
  },
});
