export const up: readonly string[] = [
  // What is counted beside statuses (core/messaging/stat-tables.ts).
  ...['sms_stat', 'sms_stat_change'].flatMap((table) =>
    ['segments', 'received'].map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} INT NOT NULL DEFAULT 0`),
  ),
  // What a text cost when it was accepted, as replies show it: an amount and its currency.
  'ALTER TABLE sms_message DROP COLUMN price',
  'ALTER TABLE sms_message ADD COLUMN price JSON NULL',
];
