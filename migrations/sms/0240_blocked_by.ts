/** The rule and the record that stopped a message, and the counts of contacts that a broadcast left out. */
export const up: readonly string[] = [
  'ALTER TABLE sms_message ADD COLUMN blocked_by JSON NULL',
  `ALTER TABLE sms_broadcast_count
    ADD COLUMN never_asked INT NULL,
    ADD COLUMN opted_out INT NULL,
    ADD COLUMN already_suppressed INT NULL`,
];
