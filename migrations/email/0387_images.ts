/** Pictures of templates and themes, stored once by their SHA-256 (plugins/email/images). */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_image (
    environment_id BINARY(16) NOT NULL,
    sha256 BINARY(32) NOT NULL,
    name VARCHAR(255) NOT NULL,
    type VARBINARY(10) NOT NULL,
    bytes INT NOT NULL,
    width INT NOT NULL,
    height INT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (environment_id, sha256),
    KEY newest (environment_id, created_at, bytes)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_image_part (
    environment_id BINARY(16) NOT NULL,
    sha256 BINARY(32) NOT NULL,
    part SMALLINT NOT NULL,
    data MEDIUMBLOB NOT NULL,
    PRIMARY KEY (environment_id, sha256, part)
  ) ENGINE=InnoDB`,
];
