/**
 * Received mail: messages, their contents, their attachments in parts of at most 1 MiB, and the addresses by which they
 * are found.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_inbound (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    content_id BINARY(16) NULL,
    arrival_digest BINARY(32) NULL,
    envelope_from VARCHAR(254) NOT NULL,
    envelope_to VARCHAR(254) NOT NULL,
    from_address VARCHAR(254) NOT NULL,
    to_addresses JSON NOT NULL,
    subject TEXT NULL,
    message_id VARBINARY(998) NULL,
    in_reply_to BINARY(16) NULL,
    spf VARBINARY(4) NOT NULL,
    dkim VARBINARY(4) NOT NULL,
    dmarc VARBINARY(4) NOT NULL,
    automatic TINYINT NOT NULL,
    bytes INT NOT NULL,
    attachment_count INT NOT NULL,
    received_at DATETIME(3) NOT NULL,
    deleted_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY arrival (environment_id, arrival_digest),
    KEY environment (environment_id, id),
    KEY content (content_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_inbound_content (
    id BINARY(16) NOT NULL,
    text_body MEDIUMTEXT NULL,
    html_body MEDIUMTEXT NULL,
    headers JSON NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_inbound_attachment (
    id BINARY(16) NOT NULL,
    content_id BINARY(16) NOT NULL,
    position SMALLINT NOT NULL,
    filename VARCHAR(255) NOT NULL,
    content_type VARCHAR(255) NOT NULL,
    bytes INT NOT NULL,
    PRIMARY KEY (id),
    KEY content (content_id, position)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_inbound_part (
    content_id BINARY(16) NOT NULL,
    position SMALLINT NOT NULL,
    part SMALLINT NOT NULL,
    data MEDIUMBLOB NOT NULL,
    PRIMARY KEY (content_id, position, part)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_inbound_address (
    environment_id BINARY(16) NOT NULL,
    address_key VARBINARY(1016) NOT NULL,
    inbound_id BINARY(16) NOT NULL,
    role VARBINARY(7) NOT NULL,
    PRIMARY KEY (environment_id, address_key, inbound_id, role),
    KEY inbound (inbound_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
