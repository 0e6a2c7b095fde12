/**
 * A message refers to its content, which messages to many recipients can share. Existing contents keep their rows and
 * have the id of their message. `sending` is no longer stored: it is a queued message that a worker has leased.
 */
export const up: readonly string[] = [
  'ALTER TABLE email_message ADD COLUMN content_id BINARY(16) NULL',
  'UPDATE email_message m JOIN email_content c ON c.message_id = m.id SET m.content_id = m.id',
  'ALTER TABLE email_message ADD KEY content (content_id)',
  'ALTER TABLE email_content RENAME COLUMN message_id TO id',
  'ALTER TABLE email_attachment RENAME COLUMN content_id TO inline_id',
  'ALTER TABLE email_attachment RENAME COLUMN message_id TO content_id',
  'ALTER TABLE email_attachment_part RENAME COLUMN message_id TO content_id',
  'ALTER TABLE email_recipient RENAME COLUMN smtp_code TO code',
  'ALTER TABLE email_attempt RENAME COLUMN smtp_code TO code',
  "UPDATE email_message SET status = 'queued' WHERE status = 'sending'",
];
