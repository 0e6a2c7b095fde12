export const up: readonly string[] = [
  // The maximum number of segments of a broadcast’s texts, and the metered number of each message: the maximum until it
  // is rendered.
  'ALTER TABLE sms_broadcast ADD COLUMN reserved_segments INT NOT NULL DEFAULT 0',
  'ALTER TABLE sms_message ADD COLUMN metered_segments INT NOT NULL DEFAULT 0',
];
