/**
 * All channels have the same count columns (core/messaging/broadcast-tables.ts). Texts do not bounce, so it stays 0.
 */
export const up: readonly string[] = ['ALTER TABLE sms_broadcast_count ADD COLUMN refused INT NOT NULL DEFAULT 0'];
