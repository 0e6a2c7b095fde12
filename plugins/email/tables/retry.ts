import { flagColumn, intColumn, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/**
 * The messages that wait for another attempt after a temporary failure. A row without a row of the delivery queue is
 * about a message that ended otherwise, such as by a cancellation; it does not count and is deleted later.
 */
export const retries = defineTable('email_retry', {
  messageId: primary(uuidColumn()),
  environmentId: uuidColumn(),
  /** When the first attempt failed. */
  since: timeColumn(),
  /** When the last one failed. */
  triedAt: timeColumn(),
  /** Whether the last failure was not about a mailbox: it may end for all messages at once. */
  ofRelay: flagColumn(),
});

export type RetryRow = RowOf<typeof retries>;

/** One row: when the mail server has last accepted a message, within half a minute. */
export const relays = defineTable('email_relay', {
  id: primary(intColumn()),
  acceptedAt: timeColumn(),
});
