export const up: readonly string[] = [
  // The most segments that a text of a broadcast can have, and what each message was metered as: until a text is
  // rendered, the former.
  'ALTER TABLE sms_broadcast ADD COLUMN reserved_segments INT NOT NULL DEFAULT 0',
  'ALTER TABLE sms_message ADD COLUMN metered_segments INT NOT NULL DEFAULT 0',
];
