import { queueTable } from '#core/runtime/work/tables.js';

/** The counts of audiences that take longer than a call, and the work of counting them (stored-audience.ts). */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_broadcast_audience (
    broadcast_id BINARY(16) NOT NULL,
    question JSON NOT NULL,
    asked_at DATETIME(3) NOT NULL,
    last_contact_id BINARY(16) NULL,
    started_at DATETIME(3) NULL,
    so_far JSON NULL,
    counted_at DATETIME(3) NULL,
    counted JSON NULL,
    PRIMARY KEY (broadcast_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  queueTable('email_broadcast_audience_queue'),
];
