/** The topic that a message was sent under and its contact, if the product audience is enabled. */
export const up: readonly string[] = [
  'ALTER TABLE email_message ADD COLUMN topic VARBINARY(64) NULL',
  'ALTER TABLE email_message ADD COLUMN contact_id BINARY(16) NULL',
  'ALTER TABLE email_message ADD KEY contact (contact_id)',
];
