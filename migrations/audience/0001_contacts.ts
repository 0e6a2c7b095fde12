/**
 * Contacts and the columns that segments query. `audience_property` is the index of `audience_contact.properties`: one
 * row per contact and key, with the value encoded so that byte order equals value order
 * (plugins/audience/contacts/value-key.ts).
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS audience_contact (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    external_id VARBINARY(800) NULL,
    email VARCHAR(254) NULL,
    email_key VARBINARY(254) NULL,
    email_digest BINARY(32) NULL,
    phone VARBINARY(16) NULL,
    phone_digest BINARY(32) NULL,
    first_name VARCHAR(200) NULL,
    last_name VARCHAR(200) NULL,
    locale VARBINARY(35) NULL,
    time_zone VARBINARY(64) NULL,
    properties MEDIUMTEXT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY external_id (environment_id, external_id),
    UNIQUE KEY email_key (environment_id, email_key),
    UNIQUE KEY phone (environment_id, phone),
    KEY environment (environment_id, id),
    KEY locale (environment_id, locale, id),
    KEY created_at (environment_id, created_at, id),
    KEY first_name (environment_id, first_name(40)),
    KEY last_name (environment_id, last_name(40))
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS audience_property (
    contact_id BINARY(16) NOT NULL,
    key_id BINARY(8) NOT NULL,
    value VARBINARY(2001) NOT NULL,
    PRIMARY KEY (contact_id, key_id),
    KEY value (key_id, value, contact_id)
  ) ENGINE=InnoDB`,
  // Earlier addresses of contacts, and those of erased contacts: messages to them are found when the person is erased,
  // and opt-outs made at them remain valid. Only the digest of an erased person’s address is kept.
  `CREATE TABLE IF NOT EXISTS audience_former_address (
    contact_id BINARY(16) NOT NULL,
    channel VARBINARY(5) NOT NULL,
    address_digest BINARY(32) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    address_key VARBINARY(254) NULL,
    PRIMARY KEY (contact_id, channel, address_digest),
    KEY address_digest (environment_id, address_digest)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS audience_erased (
    contact_id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    erased_at DATETIME(3) NOT NULL,
    PRIMARY KEY (contact_id)
  ) ENGINE=InnoDB`,
];
