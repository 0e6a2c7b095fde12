/**
 * Segments, the data that their conditions query in addition to contacts and consent, and references to topics and
 * segments.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS audience_segment (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    name VARCHAR(120) NOT NULL,
    name_key VARBINARY(1440) NULL,
    definition MEDIUMTEXT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    deleted_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY name (environment_id, name_key),
    KEY environment (environment_id, id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS audience_event (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    contact_id BINARY(16) NOT NULL,
    name VARBINARY(100) NOT NULL,
    event_id VARBINARY(800) NULL,
    properties MEDIUMTEXT NOT NULL,
    occurred_at DATETIME(3) NOT NULL,
    recorded_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY event_id (environment_id, event_id),
    KEY contact (contact_id, id),
    KEY recorded (recorded_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS audience_event_tally (
    contact_id BINARY(16) NOT NULL,
    name_id BINARY(8) NOT NULL,
    count INT NOT NULL,
    last_at DATETIME(3) NOT NULL,
    PRIMARY KEY (contact_id, name_id),
    KEY count (name_id, count, contact_id),
    KEY last_at (name_id, last_at, contact_id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS audience_message_tally (
    contact_id BINARY(16) NOT NULL,
    channel VARBINARY(5) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    last_sent_at DATETIME(3) NOT NULL,
    PRIMARY KEY (contact_id, channel),
    KEY last_sent_at (environment_id, channel, last_sent_at, contact_id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS audience_hold (
    environment_id BINARY(16) NOT NULL,
    kind VARBINARY(7) NOT NULL,
    target VARBINARY(64) NOT NULL,
    holder_type VARBINARY(40) NOT NULL,
    holder_id BINARY(16) NOT NULL,
    PRIMARY KEY (environment_id, kind, target, holder_type, holder_id),
    KEY holder (holder_id)
  ) ENGINE=InnoDB`,
];
