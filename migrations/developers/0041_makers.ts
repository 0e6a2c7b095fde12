/**
 * Keys know from which IP address they were made. Webhook endpoints know who made them and which products' events that
 * caller could read (plugins/developers/events/readable.ts); those from before go on to get every event that they asked
 * for.
 */
export const up: readonly string[] = [
  'ALTER TABLE developers_key ADD COLUMN created_ip VARCHAR(45) NULL',
  'ALTER TABLE developers_webhook ADD COLUMN member_id BINARY(16) NULL',
  'ALTER TABLE developers_webhook ADD COLUMN products JSON NULL',
  'ALTER TABLE developers_webhook ADD KEY member (member_id)',
];
