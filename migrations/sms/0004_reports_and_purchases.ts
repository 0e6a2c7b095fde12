import { queueTable } from '#core/runtime/work/tables.js';

/**
 * Reports of carriers about texts, and purchases of numbers that are not completed, including numbers that are being
 * released. `refused_at`: the call that requested the number was answered with provider_failed, so nothing is bought
 * for it later.
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
