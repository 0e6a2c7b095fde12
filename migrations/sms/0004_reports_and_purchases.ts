import { queueTable } from '#core/runtime/work/tables.js';

/**
 * What carriers reported about texts; and the purchases of numbers that are not settled, those of numbers that are
 * being given back. `refused_at`: the call that took the number was answered that the provider failed, so that nothing
 * is bought for it later.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS sms_report (
    message_id BINARY(16) NOT NULL,
    provider_id VARBINARY(255) NOT NULL,
    status VARBINARY(12) NOT NULL,
    code VARBINARY(40) NULL,
    detail VARCHAR(500) NULL,
    at DATETIME(3) NOT NULL,
    PRIMARY KEY (message_id, provider_id, status)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  queueTable('sms_number_queue'),
  'ALTER TABLE sms_number ADD COLUMN refused_at DATETIME(3) NULL',
];
