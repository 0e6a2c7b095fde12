/**
 * The algorithms of imported password hashes, so that an unknown address takes as long to check as an imported user.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS auth_password_scheme (
    environment_id BINARY(16) NOT NULL,
    digest BINARY(32) NOT NULL,
    hash VARBINARY(512) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (environment_id, digest)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
