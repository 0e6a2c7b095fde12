import { choiceColumn, exactColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/**
 * sender: From, Reply-To, Sender or the envelope; to: the envelope, To or Cc; refused: the sender of mail that was
 * refused.
 */
export const inboundRoles = ['sender', 'to', 'refused'] as const;

/**
 * The addresses of received mail, for searches. For refused mail, nothing else is kept: its event has this id as its
 * subject.
 */
export const inboundAddresses = defineTable('email_inbound_address', {
  environmentId: primary(uuidColumn()),
  /** See mailboxKey. */
  addressKey: primary(exactColumn(1016)),
  inboundId: primary(uuidColumn()),
  role: primary(choiceColumn(inboundRoles, 7)),
});
