/** Templates, their published versions, and the contents of drafts and versions by locale. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_template (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    name VARBINARY(100) NOT NULL,
    description VARCHAR(500) NULL,
    default_locale VARBINARY(35) NOT NULL,
    has_draft TINYINT NOT NULL,
    variables JSON NOT NULL,
    published_id BINARY(16) NULL,
    published_version INT NULL,
    last_version INT NOT NULL,
    first_version INT NOT NULL,
    revision INT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    deleted_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY name (environment_id, name),
    KEY environment (environment_id, id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_template_version (
    id BINARY(16) NOT NULL,
    template_id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    version INT NOT NULL,
    default_locale VARBINARY(35) NOT NULL,
    locales JSON NOT NULL,
    variables JSON NOT NULL,
    published_at DATETIME(3) NOT NULL,
    published_by VARCHAR(254) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY version (template_id, version)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_template_content (
    owner_id BINARY(16) NOT NULL,
    locale VARBINARY(35) NOT NULL,
    source JSON NOT NULL,
    compiled JSON NULL,
    PRIMARY KEY (owner_id, locale)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
