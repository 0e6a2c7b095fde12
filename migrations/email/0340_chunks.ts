import { queueTable } from '#core/runtime/work/tables.js';

/**
 * The messages of a broadcast that wait for their first attempt, up to 500 in a row: those from `id` to `last_id` that
 * are queued and have no row in email_queue.
 */
export const up: readonly string[] = [
  queueTable('email_chunk'),
  'ALTER TABLE email_chunk ADD COLUMN last_id BINARY(16) NOT NULL',
];
