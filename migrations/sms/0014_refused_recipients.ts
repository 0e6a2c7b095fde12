/**
 * The columns of counts are those of every channel (core/messaging/broadcast-tables.ts). Texts do not bounce: it stays
 * 0.
 */
export const up: readonly string[] = ['ALTER TABLE sms_broadcast_count ADD COLUMN refused INT NOT NULL DEFAULT 0'];
