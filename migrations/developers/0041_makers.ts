/**
 * Keys record the IP address that created them. Webhook endpoints record their creator and the products whose events
 * that caller could read (plugins/developers/events/readable.ts). Earlier endpoints continue to receive every event
 * type that they asked for.
 */
export const up: readonly string[] = [
  'ALTER TABLE developers_key ADD COLUMN created_ip VARCHAR(45) NULL',
  'ALTER TABLE developers_webhook ADD COLUMN member_id BINARY(16) NULL',
  'ALTER TABLE developers_webhook ADD COLUMN products JSON NULL',
  'ALTER TABLE developers_webhook ADD KEY member (member_id)',
];
