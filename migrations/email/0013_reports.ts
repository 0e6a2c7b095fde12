/** Delivery reports: the ids by which providers report messages, and the reports. */
export const up: readonly string[] = [
  'ALTER TABLE email_recipient ADD COLUMN provider_id VARBINARY(255) NULL, ADD KEY provider (provider_id)',
  `CREATE TABLE IF NOT EXISTS email_report (
    message_id BINARY(16) NOT NULL,
    position SMALLINT NOT NULL,
    type VARBINARY(10) NOT NULL,
    kind VARBINARY(4) NULL,
    code VARBINARY(20) NULL,
    detail VARCHAR(500) NOT NULL,
    at DATETIME(3) NOT NULL,
    PRIMARY KEY (message_id, position, type)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_soft_bounce (
    environment_id BINARY(16) NOT NULL,
    address_digest BINARY(32) NOT NULL,
    times JSON NOT NULL,
    last_at DATETIME(3) NOT NULL,
    PRIMARY KEY (environment_id, address_digest),
    KEY last (last_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
