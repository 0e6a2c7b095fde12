import { workTable } from '#core/runtime/work/queue.js';

export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_message (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    status VARBINARY(12) NOT NULL,
    is_system TINYINT NOT NULL,
    from_address VARCHAR(254) NOT NULL,
    from_name VARCHAR(120) NULL,
    reply_to JSON NOT NULL,
    to_addresses JSON NOT NULL,
    cc_addresses JSON NOT NULL,
    bcc_addresses JSON NOT NULL,
    subject TEXT NULL,
    template VARBINARY(100) NULL,
    headers JSON NOT NULL,
    tags JSON NOT NULL,
    blocked_reason VARBINARY(40) NULL,
    person_id BINARY(16) NULL,
    send_after DATETIME(3) NULL,
    sent_at DATETIME(3) NULL,
    ended_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY environment (environment_id, id),
    KEY environment_status (environment_id, status, id),
    KEY person (person_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_content (
    message_id BINARY(16) NOT NULL,
    text_body MEDIUMTEXT NULL,
    html_body MEDIUMTEXT NULL,
    sealed MEDIUMBLOB NULL,
    PRIMARY KEY (message_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_recipient (
    message_id BINARY(16) NOT NULL,
    position SMALLINT NOT NULL,
    environment_id BINARY(16) NOT NULL,
    address VARCHAR(254) NOT NULL,
    address_key VARBINARY(254) NOT NULL,
    status VARBINARY(12) NOT NULL,
    smtp_code SMALLINT NULL,
    response VARCHAR(500) NULL,
    ended_at DATETIME(3) NULL,
    PRIMARY KEY (message_id, position),
    KEY address (environment_id, address_key, message_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_attachment (
    message_id BINARY(16) NOT NULL,
    position SMALLINT NOT NULL,
    filename VARCHAR(255) NOT NULL,
    content_type VARCHAR(255) NOT NULL,
    content_id VARCHAR(255) NULL,
    bytes INT NOT NULL,
    PRIMARY KEY (message_id, position)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_attachment_part (
    message_id BINARY(16) NOT NULL,
    position SMALLINT NOT NULL,
    part SMALLINT NOT NULL,
    data MEDIUMBLOB NOT NULL,
    PRIMARY KEY (message_id, position, part)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS email_tag (
    environment_id BINARY(16) NOT NULL,
    tag VARBINARY(760) NOT NULL,
    message_id BINARY(16) NOT NULL,
    PRIMARY KEY (environment_id, tag, message_id),
    KEY message (message_id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS email_attempt (
    message_id BINARY(16) NOT NULL,
    attempt INT NOT NULL,
    at DATETIME(3) NOT NULL,
    status VARBINARY(12) NOT NULL,
    smtp_code SMALLINT NULL,
    response VARCHAR(500) NOT NULL,
    duration_ms INT NOT NULL,
    PRIMARY KEY (message_id, attempt)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_sender (
    environment_id BINARY(16) NOT NULL,
    from_address VARCHAR(254) NULL,
    from_name VARCHAR(120) NULL,
    reply_to VARCHAR(254) NULL,
    legal_address VARCHAR(500) NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (environment_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  workTable('email_queue'),
];
