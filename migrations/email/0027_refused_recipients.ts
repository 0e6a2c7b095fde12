/**
 * `refused`: the messages of `failed` that the mail server refused because the address does not work. They count as
 * bounces of a broadcast.
 */
export const up: readonly string[] = ['ALTER TABLE email_broadcast_count ADD COLUMN refused INT NOT NULL DEFAULT 0'];
