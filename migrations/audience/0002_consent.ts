/**
 * Topics, consent and suppressions. Rows of `audience_consent_record` are only inserted. `audience_consent` contains
 * the current state, one row per contact, channel and topic. The IP address of a record is personal data and is stored
 * separately, so that it can be erased.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS audience_topic (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    topic VARBINARY(64) NOT NULL,
    name VARCHAR(120) NOT NULL,
    description VARCHAR(500) NULL,
    channels JSON NOT NULL,
    is_public TINYINT NOT NULL,
    archived_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY topic (environment_id, topic),
    KEY environment (environment_id, id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS audience_consent_record (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    contact_id BINARY(16) NOT NULL,
    channel VARBINARY(5) NOT NULL,
    topic VARBINARY(64) NOT NULL,
    ordinal INT NOT NULL,
    state VARBINARY(7) NOT NULL,
    effective TINYINT NOT NULL,
    source VARCHAR(200) NOT NULL,
    wording VARCHAR(2000) NULL,
    given_at DATETIME(3) NOT NULL,
    recorded_at DATETIME(3) NOT NULL,
    actor_kind VARBINARY(10) NOT NULL,
    actor_id VARBINARY(64) NOT NULL,
    actor_label VARCHAR(254) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY contact (contact_id, channel, topic, ordinal),
    KEY environment (environment_id, id),
    KEY topic (environment_id, topic, id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS audience_consent_origin (
    record_id BINARY(16) NOT NULL,
    contact_id BINARY(16) NOT NULL,
    ip VARCHAR(45) NOT NULL,
    PRIMARY KEY (record_id),
    KEY contact (contact_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS audience_consent (
    contact_id BINARY(16) NOT NULL,
    channel VARBINARY(5) NOT NULL,
    topic VARBINARY(64) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    state VARBINARY(7) NOT NULL,
    since DATETIME(3) NOT NULL,
    record_id BINARY(16) NOT NULL,
    PRIMARY KEY (contact_id, channel, topic),
    KEY topic (environment_id, topic, channel, state, contact_id)
  ) ENGINE=InnoDB`,
  // standing: 1 until the suppression is lifted, then NULL, so that the unique key applies only to active ones.
  `CREATE TABLE IF NOT EXISTS audience_suppression (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    channel VARBINARY(5) NOT NULL,
    address VARCHAR(254) NULL,
    address_digest BINARY(32) NOT NULL,
    reason VARBINARY(11) NOT NULL,
    note VARCHAR(500) NULL,
    standing TINYINT NULL,
    created_at DATETIME(3) NOT NULL,
    lifted_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY standing (environment_id, channel, address_digest, reason, standing),
    KEY environment (environment_id, id),
    KEY channel (environment_id, channel, id),
    KEY reason (environment_id, reason, id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
